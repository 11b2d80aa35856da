"""The buttons of the controller as bits of a byte. Add them to hold several at once."""

NONE = 0
A = 128
B = 64
SELECT = 32
START = 16
UP = 8
DOWN = 4
LEFT = 2
RIGHT = 1

#: What a player can usefully hold in a frame of play: nothing, or one shift or Down, each with no turn, A or B. It is the
#: default of the actions of ``maxout/NesTetrisFrames-v0``.
PLAY = tuple(shift | turn for turn in (NONE, A, B) for shift in (NONE, LEFT, RIGHT, DOWN))
