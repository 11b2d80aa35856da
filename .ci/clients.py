#!/usr/bin/env python3
"""Behaves as ten programs do that call StackRabbit's service: what they send, how they read it, and which numbers they compare.

usage: clients.py URL

Written from a description of the requests and the forms of their answers. It has its own pieces and its own decoder of boards.
"""

import json
import random
import sys
import urllib.error
import urllib.parse
import urllib.request

# Turns of each piece, clockwise from how it spawns, in a square of four cells: rows from the top, cells from the left.
SHAPES = {
    "I": ["0000 0000 1111 0000", "0010 0010 0010 0010"],
    "O": ["0000 0110 0110 0000"],
    "T": ["0000 0111 0010 0000", "0010 0110 0010 0000", "0010 0111 0000 0000", "0010 0011 0010 0000"],
    "J": ["0000 0111 0001 0000", "0010 0010 0110 0000", "0100 0111 0000 0000", "0011 0010 0010 0000"],
    "L": ["0000 0111 0100 0000", "0110 0010 0010 0000", "0001 0111 0000 0000", "0010 0010 0011 0000"],
    "S": ["0000 0011 0110 0000", "0010 0011 0001 0000"],
    "Z": ["0000 0110 0011 0000", "0001 0011 0010 0000"],
}
HALVES = "abcdefghijklmnopqrstuvwxyzABCDEF"
MOVES = 20
url = sys.argv[1]


def check(holds, text):
    if not holds:
        raise AssertionError(text)


def ask(request, **parameters):
    """The answer as text. As from the original, it has status 200 and is plain text."""
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    with urllib.request.urlopen(f"{url}/{request}?{query}", timeout=60) as answer:
        check(answer.headers["Content-Type"].startswith("text/plain"), f"{request}: {answer.headers['Content-Type']}")
        return answer.read().decode()


def rows(board):
    return [board[at : at + 10] for at in range(0, 200, 10)]


def cells(piece, placement):
    """Columns and rows of a placement. A piece spawns in columns 3 to 6; the I two rows above the board, others one."""
    turn, right, down = placement
    top = -2 if piece == "I" else -1
    square = SHAPES[piece][turn].split()
    return [(3 + right + x, top + down + y) for y in range(4) for x in range(4) if square[y][x] == "1"]


def after(board, piece, placement, clear=True):
    """The board after a placement, or None if it is no place to rest."""
    grid = [list(row) for row in rows(board)]
    taken = cells(piece, placement)
    free = lambda x, y: 0 <= x < 10 and y < 20 and (y < 0 or grid[y][x] == "0")
    if not all(free(x, y) for x, y in taken) or all(free(x, y + 1) for x, y in taken):
        return None
    for x, y in taken:
        if y >= 0:
            grid[y][x] = "1"
    left = ["".join(row) for row in grid if not clear or "0" in row]
    return "0" * 10 * (20 - len(left)) + "".join(left)


def decoded(text):
    """The board of EMPTY_ROWS,LETTERS,WELL_ROWS."""
    empty, letters, well = text.split(",")
    halves = "".join(format(HALVES.index(letter), "05b") for letter in letters)
    board = "0" * 10 * int(empty) + halves + "1111111110" * int(well)
    check(len(board) == 200, f"{text} is a board of {len(board)} cells")
    return board


def situations(count=12, least=18):
    """Boards of ordinary kinds, with pieces, levels and lines."""
    dice = random.Random(66)
    for number in range(count):
        heights = [dice.randrange(3, 8) for _ in range(9)] + [dice.choice([0, 0, 4])]
        columns = ["0" * (20 - height) + "1" * height for height in heights]
        board = "".join("".join(column[row] for column in columns) for row in range(20))
        # No row is full yet.
        board = "".join(row if "0" in row else row[:9] + "0" for row in rows(board))
        level = dice.choice([level for level in (18, 19, 25, 29) if level >= least])
        yield {"board": board, "currentPiece": dice.choice("TJZOSLI"), "nextPiece": dice.choice("TJZOSLI"), "level": level,
               "lines": dice.randrange(0, 200), "inputFrameTimeline": dice.choice(["X.", "X..", "X...", "X....", "X.....", "X..X."])}


def without(asked, *names):
    return {name: value for name, value in asked.items() if name not in names}


def falling(scores, where):
    check(all(a >= b for a, b in zip(scores, scores[1:])), f"{where}: not best first: {scores}")


def moves_cpp(asked, moves, has_next):
    """What every reader of the C++ lists relies on."""
    check(isinstance(moves, list) and 0 < len(moves) <= MOVES, f"{len(moves)} moves")
    falling([move["playoutScore"] for move in moves], "playoutScore")
    for move in moves:
        board = after(asked["board"], asked["currentPiece"], move["firstPlacement"])
        check(board, f"{move['firstPlacement']} is no placement of {asked}")
        if has_next and move["secondPlacement"] is not None:
            board = after(board, asked["nextPiece"], move["secondPlacement"])
        check("secondPlacement" in move and (has_next or move["secondPlacement"] is None), "secondPlacement")
        check(decoded(move["resultingBoard"]) == board, f"resultingBoard: {move} of {asked}")
        check(isinstance(move["shallowEvalScore"], (int, float)), "shallowEvalScore")
        falling([move[f"playout{n}"]["score"] for n in range(1, 8)], "playouts")
        for number in range(1, 8):
            playout = move[f"playout{number}"]
            reached = board
            for piece, placement in zip(playout["pieceSequence"], playout["placements"]):
                reached = after(reached, piece, placement)
            check(decoded(playout["resultingBoard"]) == reached, f"playout{number} of {move}")


def trainer_with_next():
    """A trainer that shows the moves without the next piece beside those with it."""
    for asked in situations():
        lists = json.loads(ask("engine-movelist-cpp-hybrid", **asked, playoutCount=49, playoutLength=2))
        check(set(lists) == {"noNextBox", "nextBox"}, list(lists))
        moves_cpp(asked, lists["noNextBox"], False)
        moves_cpp(asked, lists["nextBox"], True)
    refused = ask("engine-movelist-cpp-hybrid", **without(asked, "nextPiece"))
    check(refused.startswith("Error: ") and "\n" not in refused, refused)


def trainer_without_next():
    """The same without a next piece, which labels the playouts from best to worst."""
    for asked in situations():
        moves = json.loads(ask("engine-movelist-cpp", **without(asked, "nextPiece"), playoutCount=49, playoutLength=2))
        moves_cpp(asked, moves, False)


def site_with_decoder():
    """A site that rates moves by where they lie between the best and the worst, and sends colours as digits 2 and 3."""
    for number, asked in enumerate(situations()):
        usual = ask("engine-movelist-cpp-hybrid", **asked, playoutCount=343, playoutDepth=3)
        coloured = asked["board"].replace("1", "2", number).replace("1", "3", 5)
        lists = json.loads(ask("engine-movelist-cpp-hybrid", **dict(asked, board=coloured), playoutCount=343, playoutDepth=3))
        check(lists == json.loads(usual), "a board with colours has other moves")
        for moves in lists.values():
            scores = [move["playoutScore"] for move in moves]
            check(all(isinstance(score, (int, float)) for score in scores), scores)
            for move in moves:
                decoded(move["resultingBoard"])
            # A board goes back as it came.
            encoded = ask("get-move-cpp", **dict(asked, board=moves[0]["resultingBoard"]))
            check(encoded == ask("get-move-cpp", **dict(asked, board=decoded(moves[0]["resultingBoard"]))), "a compressed board")


def overlay():
    """An overlay that shows one recommendation, and the score of the placement that was played."""
    for asked in situations():
        best, *others = json.loads(ask("engine-movelist-cpp-hybrid", **asked))["nextBox"]
        played = others[-1] if others else best
        check(best["playoutScore"] - played["playoutScore"] >= 0, "the played move is better than the best")
        check(after(asked["board"], asked["currentPiece"], played["firstPlacement"]), "no placement")


def number(text):
    """A number as the JavaScript part writes it: a string with two decimals."""
    check(isinstance(text, str) and text.rsplit(".")[-1].isdigit() and len(text.rsplit(".")[-1]) == 2, repr(text))
    return float(text)


def adapter():
    """A player that takes the first pair of the JavaScript list."""
    for asked in situations():
        pairs = json.loads(ask("engine-movelist", **asked, lookaheadDepth=0))
        check(0 < len(pairs) <= MOVES, len(pairs))
        falling([number(first["totalValue"]) for first, _ in pairs], "totalValue")
        for first, second in pairs:
            board = after(asked["board"], asked["currentPiece"], first["placement"])
            check(board and after(board, asked["nextPiece"], second["placement"]), f"{first} {second}")
            number(second["totalValue"])


def movelist():
    """A list of moves without a next piece: flat objects."""
    for asked in situations():
        moves = json.loads(ask("engine-movelist", **without(asked, "nextPiece"), lookaheadDepth=1))
        falling([number(move["totalValue"]) for move in moves], "totalValue")
        for move in moves:
            check(after(asked["board"], asked["currentPiece"], move["placement"]), move)
            check(isinstance(move["evalExplanation"], str) and isinstance(move["isSpecialMove"], bool), move)


def rater():
    """Rates moves by points below the best: 1, 5, 12, 25 and 50 are its limits. A move that is too fast is unknown."""
    limits, classes = [1, 5, 12, 25, 50], set()
    for asked in situations():
        moves = json.loads(ask("engine-movelist", **without(asked, "nextPiece")))
        for move in moves[:6]:
            for clear in (False, True)[: 2 if move is moves[0] else 1]:
                second = after(asked["board"], asked["currentPiece"], move["placement"], clear)
                rating = json.loads(ask("rate-move", **asked, secondBoard=second))
                check(list(rating) == ["playerMoveNoAdjustment", "bestMoveNoAdjustment", "playerMoveAfterAdjustment",
                                       "bestMoveAfterAdjustment"], rating)
                below = number(rating["bestMoveNoAdjustment"]) - number(rating["playerMoveNoAdjustment"])
                check(below >= 0, rating)
                classes.add(sum(below > limit for limit in limits))
        alone = json.loads(ask("rate-move", **without(asked, "nextPiece"), secondBoard=second))
        check(list(alone) == ["playerMoveNoAdjustment", "bestMoveNoAdjustment"], alone)
    check(len(classes) >= 4, f"all moves are of the classes {classes}")
    floating = "1" + asked["board"][1:]
    check(json.loads(ask("rate-move", **asked, secondBoard=floating))["playerMoveNoAdjustment"] == "Unknown score", "unknown")


def rater_cpp():
    """The same by the C++ part: numbers, and a sentence for a move that it does not find."""
    for asked in situations():
        best = json.loads(ask("engine-movelist-cpp", **asked))[0]
        second = after(asked["board"], asked["currentPiece"], best["firstPlacement"])
        rating = json.loads(ask("rate-move-cpp", **asked, secondBoard=second))
        check(all(isinstance(score, (int, float)) for score in rating.values()) and len(rating) == 4, rating)
        check(rating["playerMoveAfterAdjustment"] == rating["bestMoveAfterAdjustment"], rating)
    check(ask("rate-move-cpp", **asked, secondBoard="1" + asked["board"][1:]) == "Error: player move not found", "unknown")


def bot():
    """A bot that presses what get-move says, in each form of timeline, and tops out where there is no move."""
    for asked in situations():
        for request in ("get-move", "get-move-cpp"):
            placement, buttons, board, level, lines = ask(request, **asked).split("|")
            placement = [int(part) for part in placement.split(",")]
            check(after(asked["board"], asked["currentPiece"], placement) == board, f"{placement} {board}")
            check(set(buttons) <= set("LRABEFIGD.*^"), buttons)
            cleared = int(lines) - asked["lines"]
            check(0 <= cleared <= 4 and int(level) >= asked["level"] and ("^" in buttons) == (cleared > 0), (lines, level))
    full = dict(asked, board="1" * 9 + "0" + "1111111110" * 19)
    check(ask("get-move", **full) == "No legal moves", "a board without a place")


def emulator_script():
    """A script in an emulator: asynchronous requests, a piece in flight, and whatever else the original takes."""
    for asked in situations():
        now = ask("get-move", **asked)
        check(ask("get-move-async", **asked) == "Request accepted.", "asynchronous")
        check(ask("async-result") == now, "the result is another one")
    check("not supported" in ask("precompute", **asked), "precompute")
    check("not supported" in ask("precompute-sync", **asked), "precompute-sync")
    engine = json.loads(ask("engine", **asked))
    check(engine and all(isinstance(move["adjustments"], list) and move["inputSequence"] for move in engine), engine)
    float(ask("rank-lookup", **asked))
    float(ask("eval", **without(asked, "currentPiece", "nextPiece")))
    check("get-move" in ask("nothing-that-exists"), "an unknown request")
    check(ask("ping") == "pong" and ask("version"), "ping")
    for breadth, most in ((0, MOVES), (1, 1), (1156, 1156)):
        moves = json.loads(ask("engine-movelist-cpp", **asked, pruningBreadth=breadth))
        check(0 < len(moves) <= most, f"{len(moves)} moves of {breadth}")
    same = without(asked, "nextPiece")
    usual = ask("get-move", **same)
    for odd in ({"level": f"{asked['level']}.0"}, {"currentPiece": asked["currentPiece"].lower()}, {"unknown": "x"},
                {"arrWasReset": "TRUE"}, {"inputFrameTimeline": asked["inputFrameTimeline"].replace(".", "-")}):
        check(ask("get-move", **dict(same, **odd)) == usual, odd)
    twice = urllib.parse.urlencode(dict(same, level=0)) + f"&level={asked['level']}"
    with urllib.request.urlopen(f"{url}/get-move?{twice}") as answer:
        check(answer.read().decode() == usual, "of a parameter that is given twice the last counts")
    for timeline in ("X", "XX.", ".X...", "X----", "..X", "."):
        check("|" in ask("get-move", **dict(same, inputFrameTimeline=timeline)), timeline)
    # In flight at 12 Hz, 13 frames after the spawn: the next press is that of frame 15, or of this frame.
    flight = dict(same, board="0" * 200, level=29, inputFrameTimeline="X....", existingYOffset=9, existingFramesElapsed=13)
    far = lambda **more: max(abs(move["firstPlacement"][1]) for move in json.loads(ask("engine-movelist-cpp", **dict(flight, **more))))
    check(far() < far(arrWasReset="true"), "the first frame's press")
    check("|" in ask("get-move", **dict(same, existingYOffset=-1)), "a piece above its spawn")


CLIENTS = [trainer_with_next, trainer_without_next, site_with_decoder, overlay, adapter, movelist, rater, rater_cpp, bot,
           emulator_script]
failed = 0
for client in CLIENTS:
    try:
        client()
        print(f"{client.__name__}: served")
    except (AssertionError, ValueError, KeyError, IndexError, TypeError, urllib.error.URLError) as error:
        failed += 1
        print(f"{client.__name__}: {type(error).__name__}: {error}")
print(f"{len(CLIENTS) - failed} of {len(CLIENTS)} clients are served")
sys.exit(failed > 0)
