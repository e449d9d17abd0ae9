"""What a message is about 意图: `reader` goes by cue words, a model may settle the unclear ones.

Shared by the paths: nothing here knows a path, and the words of the processes are given by the caller.
"""
