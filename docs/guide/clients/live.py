# python3 live.py http://127.0.0.1:8019
import json
import sys
import urllib.request


def send(position):
    """Sends a position and returns what the server says of it."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(sys.argv[1] + "/v1/live", json.dumps(position).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


four = "#########.\n" * 4
send({"channel": "python", "board": four, "piece": "I", "next": "T", "level": 19, "lines": 100})
answer = send({"channel": "python", "board": "..........", "piece": "T", "next": "O", "level": 19, "lines": 104})
rated, best = answer["rated"], answer["best"]
print(f"{rated['class']}, loses {rated['loss']:.0f} points; next: column {best['x']}")
