"""One knowledge question, from the words to a cited answer or a refusal:

    understand -> retrieve -> (refuse | answer -> verify -> cite)

The offline engine answers by selecting sentences. With a language model the passages are phrased by it,
sentence by sentence under the same checks; when it fails the offline engine takes over and says so.
"""
