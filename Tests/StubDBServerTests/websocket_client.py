"""Uses an independent WebSocket client against a server; prints what it gets."""
import sys

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

base = sys.argv[1]


def closed(connection):
    """The code and the reason with which the server closes the connection."""
    try:
        while True:
            print("got", repr(connection.recv(timeout=20)))
    except ConnectionClosed as error:
        return error.rcvd.code, error.rcvd.reason


with connect(base + "/v1/orders", subprotocols=["orders.v2", "orders.v1"]) as orders:
    print("subprotocol", orders.subprotocol, orders.response.headers["X-Server"])
    print("got", orders.recv(timeout=20))
    orders.send('{ "subscribe": "o_1" }')
    print("closed", *closed(orders))

with connect(base + "/v1/orders", subprotocols=["orders.v1"]) as orders:
    print("got", orders.recv(timeout=20))
    orders.send('{"subscribe": "o_2"}')
    print("closed", *closed(orders))

with connect(base + "/echo", max_size=None) as echo:
    for message in ["a", b"\x00\xff", "", "é" * 100_000, ["in ", "three ", "parts"]]:
        echo.send(message)
        sent = "".join(message) if isinstance(message, list) else message
        print("echo", echo.recv(timeout=20) == sent)
    print("pong", echo.ping().wait(timeout=20))
    echo.close(4000, "bye")
print("closed", echo.close_code)

try:
    with connect(base + "/nothing"):
        print("opened")
except InvalidStatus as error:
    print("refused", error.response.status_code)
