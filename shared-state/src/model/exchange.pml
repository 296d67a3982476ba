/*
 * The protocol of dev.escapement.state.exchange.SnapshotExchange, for Spin. check.sh checks it exhaustively. By hand:
 *
 *     spin -DK=2 -DR=1 -a exchange.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000
 *
 * Parameters
 *   K              snapshots in a window
 *   R              reader slots
 *   READERS        reading processes, one more than slots unless given: so slots are contended for, passed on, and found
 *                  all taken
 *   ONLY           the one property to check, of those below; all unless given
 *   NEVER_AGAIN    the writer publishes each window once: far fewer states
 *   NUMBERS_KEPT   snapshots keep their numbers, see "Numbers" below
 *   BROKEN_...     one of the variants below
 *
 * What is modelled. One writer, which calls nextSnapshot() and publish() for ever, and readers that attach, acquire, use what
 * they hold and detach, for ever and in any order that the classes allow. The name of the production method stands before
 * each piece of it, and fields keep their names; ExchangeModelTest fails if there is no such method. A step is one access
 * to memory that another thread may write at that time, with the private bookkeeping around it. Plain fields that such an
 * access passes on from one thread to another (a slot's held window) have the step before or after it.
 *
 * Properties, with the numbers of SnapshotExchange's list of guarantees
 *   WRITER_NEVER_WAITS   1, 7   In every state the writer's next step is executable, whatever the readers do, and a
 *                               publish() has no more exchanges than there are slots.
 *   FREE_SNAPSHOT        1, 8   The writer finds a free one of (R + 1) K + 1 snapshots, with 3 R windows, every time.
 *   READER_NEVER_WAITS   2, 7   In every state each reader's next step is executable, whatever the others do. acquire()
 *                               exchanges once, attach() tries each slot once.
 *   CONSECUTIVE          4      A window in use holds ticks n - K + 1 .. n.
 *   NO_WINDOW_BEFORE_K   4      Nobody gets a window before K ticks were published.
 *   NEVER_BACKWARDS      4, 6   A window taken is not older than the one given back for it, even if another reader left that.
 *                               It has the same ticks only if these were published again.
 *   NEVER_TORN           5      Neither a window in use, nor a snapshot in it, is being written.
 *   FRESH                6      acquire() gets the latest window put into the word before it asked: whoever asks after
 *                               a put has that window or a newer one.
 * Guarantee 3, zero copy, leaves nothing to check: nothing here copies a snapshot.
 *
 * How waiting would be seen. Each process is one loop of steps with guards. A guard speaks only of where the process is in
 * its call, which it alone decides, so one of its steps is executable always: the never claim at the end verifies just
 * that, for each process in each state, which says more than that there is no deadlock. Endless retrying needs no guard to
 * be false; therefore steps of a call that could be repeated are counted and bounded.
 *
 * What is abstracted, and why nothing is lost by it
 *   Ticks     There is no last one: the search covers endless runs. A snapshot and a window have the age of their tick, in
 *             ticks before the latest, and from OLD on it is only known that they are old. No step depends on an age, so
 *             the model has all runs of the protocol; ages serve the assertions. Of the two ages compared in
 *             NEVER_BACKWARDS and FRESH one is below OLD, so the result is exact. In CONSECUTIVE both may be old. But
 *             a window and its snapshots age together: they can only disagree after one of them was written, and NEVER_TORN
 *             notices that when it begins, because a reader may use its window, or take and use it, before the writer's
 *             next step.
 *   Numbers   Which of several free snapshots the writer chooses makes no difference but to their numbers. So states that
 *             differ only by the numbers of snapshots are made one, by renaming before each choice. Free ones are the same
 *             but for what they were last written with, which nobody sees. A faulty writer gains nothing: it takes one for
 *             free that a window holds all the sooner, as those have the lower numbers. With NUMBERS_KEPT it is the lowest
 *             free number of all (in the code the next free one in turn), and there are dozens of times the states for (2,1), hundreds for (3,1).
 *   Writing   A snapshot is being written from nextSnapshot() to publish(), and a window as long as it is the writer's or given
 *             back for it: longer than in the code, so the model is stricter.
 *   Memory    Steps interleave: sequential consistency. Whether the code's memory accesses provide that, and for timelines
 *             and poses, is for jcstress to show.
 *   Callers   They keep SnapshotExchange's assumptions. A reader that is handed over is one process here: it makes no
 *             difference to the protocol which thread runs it.
 *
 * Broken variants, each of which must be refuted
 *   BROKEN_ONE_TOO_FEW        (R + 1) K snapshots
 *   BROKEN_FORGETS_DETACHED   the writer skips slots without a reader: puts nothing there, remembers no window for them
 *   BROKEN_LOAD_THEN_STORE    the reader reads the word and then stores its own window there
 *   BROKEN_TAKES_STALE        the reader takes what is in the word without asking whether it is fresh
 *   BROKEN_WRITER_WAITS       the writer waits until what it put was taken
 *   BROKEN_READER_WAITS       the reader waits until there is something to take
 *   BROKEN_READER_RETRIES     the reader repeats a compare-and-set until no put comes in between
 *
 * Witnesses, given as ONLY, each of which must be refuted too: claims that something never happens which should, so that
 * the properties do not hold just because the model never gets there
 *   NEVER_TAKES_OVER          no reader has its first window from the slot's previous reader
 *   NEVER_ALL_TAKEN           no attach() finds all slots taken
 *   NEVER_SKIPS               no reader misses a window
 *   NEVER_HOLDS_LONG          no reader uses a window that is old
 *   NEVER_THE_SAME_AGAIN      no reader takes the ticks that it has a second time
 */

#ifndef READERS
#define READERS (R + 1)
#endif

#define EVERY_PROPERTY 0
#define WRITER_NEVER_WAITS 1
#define FREE_SNAPSHOT 2
#define READER_NEVER_WAITS 3
#define CONSECUTIVE 4
#define NO_WINDOW_BEFORE_K 5
#define NEVER_BACKWARDS 6
#define NEVER_TORN 7
#define FRESH 8
#define NEVER_TAKES_OVER 9
#define NEVER_ALL_TAKEN 10
#define NEVER_SKIPS 11
#define NEVER_HOLDS_LONG 12
#define NEVER_THE_SAME_AGAIN 13
#ifndef ONLY
#define ONLY EVERY_PROPERTY
#endif
#define CHECKED(property) (ONLY == EVERY_PROPERTY || ONLY == property)
#define CHECK(property, holds) assert(!CHECKED(property) || (holds))
#define WITNESS(property, happens) assert(ONLY != property || !(happens))

#ifdef BROKEN_ONE_TOO_FEW
#define SNAPSHOTS ((R + 1) * K)
#else
#define SNAPSHOTS ((R + 1) * K + 1)
#endif
#define WINDOWS 3
#define INITIALLY_HELD 0
#define INITIALLY_READY 1
#define INITIALLY_SPARE 2
#define NONE 255

/* Ages. A window just taken is 1 old at most, while the one with the latest tick is not put yet; its oldest snapshot K. */
#define OLD (K + 1)
#define WRITING (K + 2)

/* Snapshot.tick and Window.newestTick, as ages. */
byte tick[SNAPSHOTS] = OLD;
byte newestTick[R * WINDOWS] = WRITING;

/* The windows of all slots; of each, its snapshots, the newest first. */
byte packed[R * WINDOWS * K];

#define WINDOW(r, w) ((r) * WINDOWS + (w))
#define SNAPSHOT(r, w, age) packed[WINDOW(r, w) * K + (age)]

/* ExchangeWord: two fields, but accessed in one step. */
byte wordWindow[R] = INITIALLY_READY;
bool wordFresh[R];

/* ReaderSeat and ReaderSlot, of one exchange. */
bool attached[R];
byte slotHeld[R] = INITIALLY_HELD;
bool slotHeldIsFilled[R];

/* SnapshotWriter. Private to it; assertions look on. */
byte spare[R] = INITIALLY_SPARE;
short heldBits[R];
byte latest[K];
short latestBits;
short previousBits;
byte publishedCount;
byte writing;
short inUse;
byte nextPut = R;

/* Not in the code: the age of the window that a writer which forgets nobody has last put into each word. */
byte delivered[R] = NONE;

/* Where a reader is. */
mtype = { detached, attaching, reading, taking, detaching };

/* Used within one step only, so no part of the state. */
hidden byte i;
hidden byte j;
hidden byte old;
hidden byte age;
hidden byte names;
hidden byte name[SNAPSHOTS];
hidden byte renamedTick[SNAPSHOTS];
hidden short renamedBits;

inline grow(anAge) {
    if
    :: anAge < OLD -> anAge++
    :: else
    fi
}

/* The window is the writer's from now on, or soon. What was in it must make no difference any more, so it is removed. */
inline giveBack(r, w) {
    newestTick[WINDOW(r, w)] = WRITING;
    for (i : 0 .. K - 1) {
        SNAPSHOT(r, w, i) = 0
    }
}

inline nameNext(s) {
    if
    :: name[s] == NONE -> name[s] = names; names++
    :: else
    fi
}

/* Those in the latest window first, then those in other windows, then the rest. */
inline rename() {
    names = 0;
    for (i : 0 .. SNAPSHOTS - 1) {
        name[i] = NONE
    }
    for (i : 0 .. K - 1) {
        nameNext(latest[i])
    }
    for (i : 0 .. R * WINDOWS * K - 1) {
        if
        :: newestTick[i / K] != WRITING -> nameNext(packed[i])
        :: else
        fi
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        if
        :: name[i] == NONE -> nameNext(i); tick[i] = OLD
        :: else
        fi
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        renamedTick[name[i]] = tick[i]
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        tick[i] = renamedTick[i]
    }
    for (i : 0 .. K - 1) {
        latest[i] = name[latest[i]]
    }
    for (i : 0 .. R * WINDOWS * K - 1) {
        if
        :: newestTick[i / K] != WRITING -> packed[i] = name[packed[i]]
        :: else
        fi
    }
    renameBits(latestBits);
    renameBits(inUse);
    for (j : 0 .. R - 1) {
        renameBits(heldBits[j])
    }
}

inline renameBits(bits) {
    renamedBits = 0;
    for (i : 0 .. SNAPSHOTS - 1) {
        if
        :: (bits & (1 << i)) != 0 -> renamedBits = renamedBits | (1 << name[i])
        :: else
        fi
    }
    bits = renamedBits
}

/* SnapshotWriter.nextSnapshot */
inline begin() {
    tick[writing] = WRITING;
    begun = true
}

/* SnapshotWriter.publish */
inline publish() {
    for (i : 0 .. SNAPSHOTS - 1) {
        grow(tick[i])
    }
    for (i : 0 .. R * WINDOWS - 1) {
        grow(newestTick[i])
    }
    for (i : 0 .. R - 1) {
        grow(delivered[i])
    }
    tick[writing] = 0;
    begun = false;
    previousBits = latestBits;
    shiftIn(writing);
    inUse = latestBits;
    if
    :: publishedCount == K -> nextPut = 0
    :: else -> choose()
    fi
}

/* SnapshotWriter.publishAgain */
/* The snapshot chosen to be written next stays chosen, and must stay free. */
inline publishAgain() {
    previousBits = latestBits;
    inUse = latestBits;
    again = true;
    nextPut = 0
}

inline endAgain() {
    CHECK(FREE_SNAPSHOT, (inUse & (1 << writing)) == 0);
    again = false;
    previousBits = 0;
    inUse = 0
}

/* SnapshotWriter.shiftIn */
inline shiftIn(newest) {
    if
    :: publishedCount == K -> latestBits = latestBits & ~(1 << latest[K - 1])
    :: else -> publishedCount++
    fi;
    latestBits = latestBits | (1 << newest);
    /* PackedWindow.shiftIn */
    for (i : 1 .. K - 1) {
        latest[K - i] = latest[K - i - 1]
    }
    latest[0] = newest
}

/* SnapshotWriter.put */
inline put(r) {
#ifdef BROKEN_FORGETS_DETACHED
    if
    :: attached[r] -> exchange(r); inUse = inUse | heldBits[r]
    :: else
    fi;
#else
    exchange(r);
    inUse = inUse | heldBits[r];
#endif
    delivered[r] = 0
}

inline exchange(r) {
    /* Window.fill */
    newestTick[WINDOW(r, spare[r])] = 0;
    for (i : 0 .. K - 1) {
        SNAPSHOT(r, spare[r], i) = latest[i]
    }
    /* ExchangeWord.put */
    old = wordWindow[r];
    wordWindow[r] = spare[r];
    /* ExchangeWord.window */
    spare[r] = old;
    /* ExchangeWord.wasFresh */
    if
    :: !wordFresh[r] -> heldBits[r] = previousBits
    :: else
    fi;
    wordFresh[r] = true;
    giveBack(r, spare[r])
}

/* The end of publish(): the snapshot to write next. */
inline choose() {
#ifndef NUMBERS_KEPT
    if
    :: publishedCount == K -> rename()
    :: else
    fi;
#endif
    writing = NONE;
    for (i : 0 .. SNAPSHOTS - 1) {
        if
        :: writing == NONE && (inUse & (1 << i)) == 0 -> writing = i
        :: else
        fi
    }
    CHECK(FREE_SNAPSHOT, writing != NONE);
    previousBits = 0;
    inUse = 0
}

#ifdef BROKEN_WRITER_WAITS
#define MAY_PUT !wordFresh[nextPut]
#else
#define MAY_PUT true
#endif

active proctype Writer() {
    bool begun;
    bool again;
    byte puts;
    do
    :: d_step { nextPut == R && !begun -> begin() }
    :: d_step { begun -> publish(); puts = 0 }
#ifndef NEVER_AGAIN
    :: d_step { nextPut == R && !begun && publishedCount == K -> publishAgain(); puts = 0 }
#endif
    :: d_step {
        nextPut < R && MAY_PUT ->
        put(nextPut);
        puts++;
        CHECK(WRITER_NEVER_WAITS, puts <= R);
        nextPut++;
        if
        :: nextPut == R && again -> endAgain(); puts = 0
        :: nextPut == R && !again -> choose(); puts = 0
        :: else
        fi
    }
    od
}

/* SnapshotExchange.attach */
inline attach() {
    steps++;
    CHECK(READER_NEVER_WAITS, steps <= R);
    /* ReaderSeat.tryTake */
    if
    :: !attached[slot] -> attached[slot] = true; doing = attaching; steps = 0
    :: attached[slot] && slot + 1 < R -> slot++
    :: else ->
        WITNESS(NEVER_ALL_TAKEN, true);
        slot = 0;
        steps = 0 /* attach() throws: all slots are taken. Its caller may try again. */
    fi
}

/* SnapshotReader.tryAttach */
inline construct() {
    /* ReaderSlot.held */
    held = slotHeld[slot];
    /* ReaderSlot.heldIsFilled */
    heldIsFilled = slotHeldIsFilled[slot];
    slotHeld[slot] = NONE;
    slotHeldIsFilled[slot] = false;
    doing = reading
}

#ifdef BROKEN_TAKES_STALE
#define IS_FRESH true
#else
#define IS_FRESH wordFresh[slot]
#endif

/* SnapshotReader.acquire */
inline acquire() {
    if
    /* ExchangeWord.isFresh */
    :: IS_FRESH -> doing = taking; seen = wordWindow[slot]
    :: else ->
        if
        :: !hasWindow -> takeOver()
        :: else
        fi;
        CHECK(FRESH, delivered[slot] == NONE || (hasWindow && newestTick[WINDOW(slot, held)] <= delivered[slot]))
    fi
}

/* SnapshotReader.takeOver */
inline takeOver() {
    hasWindow = heldIsFilled;
    WITNESS(NEVER_TAKES_OVER, hasWindow);
    CHECK(NO_WINDOW_BEFORE_K, !hasWindow || publishedCount == K)
}

#ifdef BROKEN_READER_RETRIES
#define EXCHANGE_SUCCEEDS (wordWindow[slot] == seen)
#else
#define EXCHANGE_SUCCEEDS true
#endif
#ifdef BROKEN_LOAD_THEN_STORE
#define FOUND seen
#else
#define FOUND wordWindow[slot]
#endif

/* SnapshotReader.take */
inline take() {
    steps++;
    CHECK(READER_NEVER_WAITS, steps <= 1);
    if
    :: EXCHANGE_SUCCEEDS ->
        old = held;
        /* ExchangeWord.take */
        held = FOUND;
        wordWindow[slot] = old;
        wordFresh[slot] = false;
        CHECK(NO_WINDOW_BEFORE_K, publishedCount == K);
        /* That it is not old is for the exactness of this comparison and the next. */
        CHECK(FRESH, newestTick[WINDOW(slot, held)] < OLD && newestTick[WINDOW(slot, held)] <= delivered[slot]);
        CHECK(NEVER_BACKWARDS, !heldIsFilled || newestTick[WINDOW(slot, held)] <= newestTick[WINDOW(slot, old)]);
        WITNESS(NEVER_SKIPS, hasWindow && newestTick[WINDOW(slot, old)] > newestTick[WINDOW(slot, held)] + 1);
        WITNESS(NEVER_THE_SAME_AGAIN, hasWindow && newestTick[WINDOW(slot, old)] == newestTick[WINDOW(slot, held)]);
        giveBack(slot, old);
        heldIsFilled = true;
        hasWindow = true;
        doing = reading;
        seen = NONE;
        steps = 0
    :: else -> seen = wordWindow[slot]
    fi
}

/* SnapshotReader.window */
inline use() {
    age = newestTick[WINDOW(slot, held)];
    WITNESS(NEVER_HOLDS_LONG, age == OLD);
    CHECK(NEVER_TORN, age != WRITING);
    for (i : 0 .. K - 1) {
        old = tick[SNAPSHOT(slot, held, i)];
        CHECK(NEVER_TORN, old != WRITING);
        CHECK(CONSECUTIVE, old == (age + i < OLD -> age + i : OLD))
    }
    age = 0 /* Spin wants no loop at the end of a step. */
}

/* SnapshotReader.close */
inline close() {
    /* ReaderSlot.leave */
    slotHeld[slot] = held;
    slotHeldIsFilled[slot] = heldIsFilled;
    held = NONE;
    heldIsFilled = false;
    hasWindow = false;
    doing = detaching
}

/* ReaderSeat.giveUp */
inline detach() {
    attached[slot] = false;
    slot = 0;
    doing = detached
}

active [READERS] proctype Reader() {
    mtype doing = detached;
    byte slot;
    byte held = NONE;
    bool heldIsFilled;
    bool hasWindow;
    byte seen = NONE; /* What isFresh() saw in the word: only broken readers care. */
    byte steps;
    do
    :: d_step { doing == detached -> attach() }
    :: d_step { doing == attaching -> construct() }
#ifdef BROKEN_READER_WAITS
    :: d_step { doing == reading && wordFresh[slot] -> acquire() }
#else
    :: d_step { doing == reading -> acquire() }
    :: d_step { doing == reading -> close() }
#endif
    :: d_step { doing == reading && hasWindow -> use() }
    :: d_step { doing == taking -> take() }
    :: d_step { doing == detaching -> detach() }
    od
}

#define WRITER_WAITS (CHECKED(WRITER_NEVER_WAITS) && !enabled(0))
#define READER_WAITS(n) (CHECKED(READER_NEVER_WAITS) && !enabled(n))

/* Spin reports it if this claim ends. Processes have numbers in the order of their declarations. */
never {
    do
    :: WRITER_WAITS -> break
    :: READER_WAITS(1) -> break
    :: READER_WAITS(2) -> break
#if READERS > 2
    :: READER_WAITS(3) -> break
#endif
#if READERS > 3
#error "the claim has three readers"
#endif
    :: else
    od
}
