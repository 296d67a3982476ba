/*
 * What is checked of the protocol in exchange.pml.
 *
 * Properties, with the numbers of SnapshotExchange's list of guarantees
 *   WRITER_NEVER_WAITS   1, 7   In every state the writer's next step is executable, whatever the readers do. A publish() has at most one
 *                               exchange per slot.
 *   FREE_SNAPSHOT        1, 8   The writer finds a free one of (R + 1) K + 1 snapshots every time,
 *   FREE_TIMELINE        1, 8   and of R + 2 timelines.
 *   READER_NEVER_WAITS   2, 7   In every state each reader's next step is executable, whatever the others do. acquire() takes
 *                               one load and one exchange at most; attach() a compare-and-set per slot.
 *   CONSECUTIVE          4      A window in use holds ticks n - K + 1 .. n.
 *   NO_WINDOW_BEFORE_K   4      No reader gets a window before K ticks were published.
 *   NEVER_BACKWARDS      4, 6   A window taken is not older than the one given back for it, even if another reader left that.
 *                               It has the same ticks only if these were published again.
 *   NEVER_TORN           5      Neither a snapshot of a window in use, nor its timeline, is being written.
 *   FRESH                6      acquire() gets the latest window put before it asked. With views: the latest of which it knew.
 *   NEVER_RACES          5      Views only: plain data is read and written in an order that all threads agree on.
 *   HISTORY_KEPT                Views only: no load can see what the memory has dropped.
 * Guarantee 3, zero copy, leaves nothing to check: nothing here copies a snapshot.
 *
 * Witnesses, given as ONLY: claims that something never happens that should happen. Each must be refuted, so that the properties do
 * not hold just because the model never gets there.
 *   NEVER_TAKES_OVER      no reader has its first window from the slot's previous reader
 *   NEVER_ALL_TAKEN       no attach() finds all slots taken
 *   NEVER_SKIPS           no reader misses a window
 *   NEVER_HOLDS_LONG      no reader uses a window that is old
 *   NEVER_THE_SAME_AGAIN  no reader takes the ticks that it has a second time
 *   NEVER_OLD             views only: no load sees an old message
 */

#define EVERY_PROPERTY 0
#define WRITER_NEVER_WAITS 1
#define FREE_SNAPSHOT 2
#define READER_NEVER_WAITS 3
#define CONSECUTIVE 4
#define NO_WINDOW_BEFORE_K 5
#define NEVER_BACKWARDS 6
#define NEVER_TORN 7
#define FRESH 8
#define FREE_TIMELINE 9
#define NEVER_RACES 10
#define HISTORY_KEPT 11
#define NEVER_TAKES_OVER 21
#define NEVER_ALL_TAKEN 22
#define NEVER_SKIPS 23
#define NEVER_HOLDS_LONG 24
#define NEVER_THE_SAME_AGAIN 25
#define NEVER_OLD 26
#ifndef ONLY
#define ONLY EVERY_PROPERTY
#endif
#define CHECKED(property) (ONLY == EVERY_PROPERTY || ONLY == property)
#define CHECK(property, holds) assert(!CHECKED(property) || (holds))
#define WITNESS(property, happens) assert(ONLY != property || !(happens))

