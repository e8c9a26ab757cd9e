import StubDBTestSupport
import Testing

/// `stubdb serve --cache-of`, asked by `stubdb pull`.
struct ServeCacheTests {
  #if Server
    @Test func catalogsArePulledThroughACache() throws {
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      try box.must(
        "add", "checkout/paid", "--key", "pay", "--url", "https://api.shop.test/pay", "--text", "1")
      let result = try box.shell(
        """
        set -e
        git init -q bea
        stubdb key create > key.pub 2>&1
        stubdb push "file://$PWD/store/shop" --sign >&2
        stubdb key show > key.pub
        mkfifo line
        STUBDB_CACHE="$PWD/shared" stubdb serve --cache-of "file://$PWD/store/" --port 0 > line 2> log &
        read -r listening < line
        url=${listening#Listening on }
        export STUBDB_CACHE="$PWD/own"
        stubdb -C bea pull "$url/shop" --trust ../key.pub >&2
        grep -c "$url/shop" bea/stubdb.lock
        stubdb -C bea pull --check >&2
        curl -s -o /dev/null -w '%{http_code}\\n' "$url/objects/sha256/aa/bb.stubdb"
        curl -s -X PUT -d x -o /dev/null -w '%{http_code}\\n' "$url/shop.json"
        rm -rf store own
        stubdb -C bea pull >&2
        stubdb -C bea pull --frozen >&2 && echo whole
        kill $!
        wait $!
        """)
      #expect(result.code == 0, "\(result)")
      #expect(
        result.out == """
          1
          404
          405
          whole

          """, "\(result)")
    }

    @Test func aCacheTakesNoScenarioAndAURL() throws {
      let box = try Sandbox()
      #expect(try box.run("serve", "--cache-of", "s3://stubs/", "checkout/paid").code == 64)
      let result = try box.run("serve", "--cache-of", "stubs")
      #expect(result.code == 1 && result.err.contains("it must begin with"), "\(result)")
    }
  #endif
}
