/** What the word to run authorises (lab Part 5). */
export const RUN_COVERS =
  "edits to the two expressions of toy_math.py in this run's own folder, " +
  "and nothing else";
