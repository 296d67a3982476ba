/*
 * The protocol of dev.escapement.state.exchange.SnapshotExchange, for Spin. check.sh checks it exhaustively. By hand:
 *
 *     spin -DK=2 -DR=1 -a exchange.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000
 *
 * Files: writer.pml and reader.pml have the steps, memory.pml what the threads share, in one memory or with views, properties.pml what is
 * checked, and ages.pml the ages that it needs. Here are the parameters, and the state that belongs to one thread at a time.
 *
 * Parameters
 *   K              snapshots in a window
 *   R              reader slots
 *   READERS        reading processes, one more than slots unless given: so slots are contended for, passed on, and found
 *                  all taken
 *   VIEWS          release/acquire memory instead of one memory; for one slot
 *   ONLY           the one property to check; all unless given
 *   NUMBERS_KEPT   snapshots and timelines keep their numbers: the lowest free one is chosen (in the code the next in turn)
 *   DROPPED        an order that is left out, of those below, or all of them
 *   BROKEN_...     one of the variants below
 *
 * What is modelled. One writer calls publish() and publishTimeline() for ever. Readers attach, acquire, use what they hold and detach, for ever
 * and in any order that the classes allow. The name of the production method
 * stands before each piece of it, and fields keep their names; ExchangeModelTest fails if there is no such method. A step is one access
 * to memory that another thread may write at that time, with the private bookkeeping around it.
 *
 * How waiting would be noticed. Each process is one loop of steps with guards. A guard speaks only of where the process is in
 * its call, which it alone decides, so one of its steps is executable always: the never claim at the end verifies just
 * that, for each process in each state, which says more than that there is no deadlock. Endless retrying needs no guard to
 * be false; therefore the steps of each call are counted and bounded.
 *
 * What is abstracted, and why no error is missed by it
 *   Ticks     There is no last one: the search covers endless runs. A snapshot has the age of its tick, in ticks before the latest, and
 *             from OLD on it is only known that it is old. No step depends on an age, so the model has all runs of the
 *             protocol; ages serve the assertions.
 *   Writing   A snapshot and a timeline are being written from the moment they are chosen to publish(): longer than in the code, so the
 *             model is stricter. The same goes for a row of a window: here it is read as long as the window is held.
 *   Callers   They keep SnapshotExchange's assumptions. A reader that is handed over is one process here: it makes no
 *             difference to the protocol which thread runs it. No thread dies.
 *
 * Orders. Each names a release or acquire of the code. With views each must be refuted if it is DROPPED; one memory does not miss it.
 *
 * Broken variants, each of which must be refuted
 *   BROKEN_ONE_TOO_FEW           (R + 1) K snapshots
 *   BROKEN_ONE_TIMELINE_TOO_FEW  R + 1 timelines
 *   BROKEN_FORGETS_TIMELINE      the writer remembers no timelines that readers hold
 *   BROKEN_FORGETS_DETACHED      the writer skips slots without a reader: puts nothing there, remembers no window for them
 *   BROKEN_LOAD_THEN_STORE       the reader reads the word and then stores 'taken' there
 *   BROKEN_TAKES_STALE           the reader takes what is in the word without asking whether it is fresh
 *   BROKEN_WRITER_WAITS          the writer waits until what it put was taken
 *   BROKEN_READER_WAITS          the reader waits until there is something to take
 *   BROKEN_READER_RETRIES        the reader repeats a compare-and-set until no put comes in between
 */

#ifndef READERS
#define READERS (R + 1)
#endif

#ifdef BROKEN_ONE_TOO_FEW
#define SNAPSHOTS ((R + 1) * K)
#else
#define SNAPSHOTS ((R + 1) * K + 1)
#endif
#ifdef BROKEN_ONE_TIMELINE_TOO_FEW
#define TIMELINES (R + 1)
#else
#define TIMELINES (R + 2)
#endif
#define NONE 255

/* Orders, for DROPPED. */
#define PUT_ACQUIRES 1
#define PUT_RELEASES 2
#define TAKE_ACQUIRES 3
#define TAKE_RELEASES 4
#define READER_RELEASES 5
#define TRY_TAKE_ACQUIRES 6
#ifndef DROPPED
#define DROPPED 0
#endif
#define ALL_ORDERS 7
#define ORDER(order) (DROPPED != order && DROPPED != ALL_ORDERS)

/* WindowWord: whether it is fresh, a timeline, the newest snapshot of a window. */
#define TAKEN 0
#define FRESH_BIT 128
#define WORD_OF(t, newest) ((t) * SNAPSHOTS + (newest))
#define NEWEST(word) (((word) & 127) % SNAPSHOTS)
#define TIMELINE(word) (((word) & 127) / SNAPSHOTS)

/* Per snapshot: the window of which it is the newest; the newest comes first. */
byte packed[SNAPSHOTS * K];
#define WINDOW(s, age) packed[(s) * K + (age)]

/* Per slot: the word that its reader holds, or left there. */
byte held[R] = NONE;

/* SnapshotWriter. Private to it; assertions look on. */
byte latest[K];
byte timeline = NONE;
byte publishedCount;
byte nextIndex;
byte nextTimeline;
int heldBits[R];
byte heldTimeline[R] = NONE;
int previousBits;
byte previousTimeline = NONE;

#include "properties.pml"
#include "memory.pml"
#include "ages.pml"

#include "writer.pml"
#include "reader.pml"

#define WRITER_WAITS (CHECKED(WRITER_NEVER_WAITS) && !enabled(0))
#define READER_WAITS(n) (CHECKED(READER_NEVER_WAITS) && !enabled(n))

/* Spin reports it if this claim ends. Processes have numbers in the order of their declarations. */
never {
    do
    :: WRITER_WAITS -> break
    :: READER_WAITS(1) -> break
#if READERS > 1
    :: READER_WAITS(2) -> break
#endif
#if READERS > 2
    :: READER_WAITS(3) -> break
#endif
#if READERS > 3
#error "the claim has three readers"
#endif
    :: else
    od
}
