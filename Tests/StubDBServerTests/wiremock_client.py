"""Uses the client of WireMock for Python against a server; prints what it gets."""
import sys

import requests
from wiremock.constants import Config
from wiremock.resources.mappings import HttpMethods, Mapping, MappingRequest, MappingResponse
from wiremock.resources.mappings.resource import Mappings
from wiremock.resources.near_misses import NearMissMatchPatternRequest, NearMissMatchRequest
from wiremock.resources.near_misses.resource import NearMisses
from wiremock.resources.requests.resource import Requests
from wiremock.resources.scenarios.resource import Scenarios

base = sys.argv[1]
Config.base_url = base + "/__admin"


def say(*words):
    print(*words, flush=True)


made = Mappings.create_mapping(
    Mapping(
        priority=1,
        request=MappingRequest(method=HttpMethods.GET, url="/some/thing"),
        response=MappingResponse(status=200, body="hello"),
    )
)
say("made", made.id is not None, Mappings.retrieve_all_mappings().meta.total)
say("got", requests.get(base + "/some/thing").text, requests.get(base + "/other").status_code)
made.response.body = "changed"
Mappings.update_mapping(made)
say("changed", requests.get(base + "/some/thing").text)
pattern = NearMissMatchPatternRequest(url="/some/thing", method=HttpMethods.GET)
say("count", Requests.get_matching_request_count(pattern).count)
say("found", [r.url for r in Requests.get_matching_requests(pattern).requests])
say("all", [(r.request.method, r.request.url) for r in Requests.get_all_received_requests().requests])
almost = NearMissMatchPatternRequest(url="/some/thin", method=HttpMethods.GET)
near = NearMisses.find_nearest_misses_by_request_pattern(almost).near_misses
say("near", near[0].request.url, 0 < near[0].match_result.distance <= 1)
asked = NearMissMatchRequest(url="/some/thin", method=HttpMethods.GET, headers={"A": "b"})
say("asked", NearMisses.find_nearest_misses_by_request(asked).near_misses[0].request.url)
Scenarios.reset_all_scenarios()
Mappings.delete_mapping(made.id)
say("removed", requests.get(base + "/some/thing").status_code)
Requests.reset_request_journal()
say("empty", Requests.get_all_received_requests().meta.total)
Mappings.delete_all_mappings()
