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
        mkdir bea
        stubdb key create > key.pub 2>&1
        stubdb push "file://$PWD/store/shop" --sign >&2
        stubdb key show > key.pub
        mkfifo line
        STUBDB_CACHE="$PWD/shared" stubdb serve --cache-of "file://$PWD/store/" --port 0 > line 2> log &
        read -r listening < line
        url=${listening#Listening on }
        export STUBDB_CACHE="$PWD/own"
        stubdb -C bea pull "$url/shop" --trust ../key.pub | cut -d , -f 1
        stubdb -C bea pull --check
        curl -s -o /dev/null -w '%{http_code}\\n' "$url/objects/sha256/aa/bb.stubdb"
        curl -s -X PUT -d x -o /dev/null -w '%{http_code}\\n' "$url/shop.json"
        rm -rf store own
        stubdb -C bea pull
        kill $!
        wait $!
        """)
      #expect(result.code == 0, "\(result)")
      #expect(
        result.out == """
          Pulled shop
          stubdb.lock has the newest commit of each catalog.
          404
          405
          Everything that stubdb.lock names is here.

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
