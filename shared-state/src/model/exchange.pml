/*
 * The protocol of dev.escapement.state.exchange.SnapshotExchange, for Spin. check.sh checks it exhaustively. By hand:
 *
 *     spin -DK=2 -DR=1 -a exchange.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000
 *
 * memory.pml has the memory, of which there are two kinds, and properties.pml what is checked.
 *
 * Parameters
 *   K              snapshots in a window
 *   R              reader slots
 *   E              exchanges that follow one another; one unless given
 *   READERS        reading processes, one more than slots unless given: so slots are contended for, passed on, and found
 *                  all taken
 *   VIEWS          release/acquire memory instead of one memory; for one slot
 *   ONLY           the one property to check; all unless given
 *   NEVER_AGAIN    the writer publishes each window once, with one timeline: far fewer states
 *   NUMBERS_KEPT   snapshots and timelines keep their numbers: the lowest free one is chosen (in the code the next in turn)
 *   DROPPED        an order that is left out, see "Orders"
 *   BROKEN_...     one of the variants below
 *
 * What is modelled. One writer calls publish() and publishAgain() for ever, or hands its exchange on and goes on with the next. Readers attach,
 * acquire, use what they hold and detach, for ever and in any order that the classes allow. The name of the production method
 * stands before each piece of it, and fields keep their names; ExchangeModelTest fails if there is no such method. A step is one access
 * to memory that another thread may write at that time, with the private bookkeeping around it.
 *
 * How waiting would be seen. Each process is one loop of steps with guards. A guard speaks only of where the process is in
 * its call, which it alone decides, so one of its steps is executable always: the never claim at the end verifies just
 * that, for each process in each state, which says more than that there is no deadlock. Endless retrying needs no guard to
 * be false; therefore the steps of each call are counted and bounded.
 *
 * What is abstracted, and why nothing is lost by it
 *   Ticks     There is no last one: the search covers endless runs. A snapshot has the age of its tick, in ticks before the latest, and
 *             from OLD on it is only known that it is old. No step depends on an age, so the model has all runs of the
 *             protocol; ages serve the assertions.
 *   Writing   A snapshot and a timeline are being written from the moment they are chosen to publish(): longer than in the code, so the
 *             model is stricter. The same goes for a packed window: here it is read as long as the window is held.
 *   Callers   They keep SnapshotExchange's assumptions. A reader that is handed over is one process here: it makes no
 *             difference to the protocol which thread runs it. No thread dies.
 *   Writers   One process writes all exchanges and hands them on: each of these happens before the next, as handOnTo() demands.
 *
 * Orders, each of which must be refuted with views if it is DROPPED, and holds in one memory
 *   See below; unread's two orders only matter from the fourth exchange on.
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
 *   BROKEN_UNREAD_LAST           handOnTo() notes an unread slot after it has changed the current one
 *   BROKEN_FORGETS_NEWER         a reader forgets the unread slot without comparing
 *   BROKEN_ATTACHES_TO_FIRST     a reader starts in the first exchange and not in the current one
 */

#ifndef E
#define E 1
#endif
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

/* Orders. */
#define PUT_ACQUIRES 1
#define PUT_RELEASES 2
#define TAKE_ACQUIRES 3
#define TAKE_RELEASES 4
#define MOVE_TO_RELEASES 5
#define CURRENT_ACQUIRES 6
#define GIVE_UP_RELEASES 7
#define TRY_TAKE_ACQUIRES 8
#define UNREAD_RELEASES 9
#define UNREAD_ACQUIRES 10
#ifndef DROPPED
#define DROPPED 0
#endif
#define ORDER(order) (DROPPED != order)

/* ExchangeWord: whether it is fresh, a timeline, the newest snapshot of a window. */
#define TAKEN 0
#define FRESH_BIT 128
#define WORD_OF(t, newest) ((t) * SNAPSHOTS + (newest))
#define NEWEST(word) (((word) & 127) % SNAPSHOTS)
#define TIMELINE(word) (((word) & 127) / SNAPSHOTS)

/* Per snapshot of each exchange: the window of which it is the newest; the newest comes first. */
byte packed[E * SNAPSHOTS * K];
#define WINDOW(x, s, age) packed[((x) * SNAPSHOTS + (s)) * K + (age)]

/* Per slot: the word that its reader holds, or left there. */
byte held[E * R] = NONE;
#define HELD(x, r) held[(x) * R + (r)]

/* SnapshotWriter. Private to it; assertions look on. */
byte now; /* The exchange that it writes. */
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

/* SnapshotWriter.publish */
/* SnapshotWriter.nextSnapshot */
inline publish(changes) {
    growAll();
    TICK(now, nextIndex) = 0;
    notePrevious();
    shiftIn(nextIndex);
    for (i : 0 .. K - 1) {
        WINDOW(now, nextIndex, i) = latest[i]
    }
    writePlain(SNAPSHOT_DATA(now, nextIndex));
    nextIndex = NONE;
    if
    :: publishedCount == K -> useTimeline(changes || timeline == NONE); does = putting
    :: else -> choose()
    fi
}

/* SnapshotWriter.publishAgain */
inline publishAgain() {
    notePrevious();
    useTimeline(true);
    does = putting
}

inline notePrevious() {
    previousTimeline = timeline;
    for (i : 0 .. publishedCount - 1) {
        previousBits = previousBits | (1 << latest[i])
    }
}

inline useTimeline(changes) {
    if
    :: changes ->
        writePlain(TIMELINE_DATA(now, nextTimeline));
        timeline = nextTimeline;
        nextTimeline = NONE
    :: else
    fi
}

/* SnapshotWriter.shiftIn */
inline shiftIn(newest) {
    if
    :: publishedCount < K -> publishedCount++
    :: else
    fi;
    for (i : 1 .. K - 1) {
        latest[K - i] = latest[K - i - 1]
    }
    latest[0] = newest
}

/* SnapshotWriter.put */
inline put(r) {
#ifdef BROKEN_FORGETS_DETACHED
    if
    :: NEWEST_OF(READER(r)) != 0 -> exchangeLatest(r)
    :: else -> heldBits[r] = 0; heldTimeline[r] = NONE
    fi;
#else
    exchangeLatest(r);
#endif
    DELIVERED(now, r) = 0
}

inline exchangeLatest(r) {
    /* ExchangeWord.put */
    exchange(WORD(now, r), FRESH_BIT | WORD_OF(timeline, latest[0]), ORDER(PUT_ACQUIRES), ORDER(PUT_RELEASES));
    /* ExchangeWord.wasFresh */
    if
    :: (loaded & FRESH_BIT) == 0 -> heldBits[r] = previousBits; heldTimeline[r] = previousTimeline
    :: else
    fi
}

/* The end of publish(): the snapshot to write next, and the timeline to write when it changes. */
inline choose() {
    dropUnused(now);
#ifndef NUMBERS_KEPT
    if
    :: publishedCount == K -> rename()
    :: else
    fi;
#endif
    used = 0;
    usedTimelines = (timeline == NONE -> 0 : 1 << timeline);
    for (i : 0 .. publishedCount - 1) {
        used = used | (1 << latest[i])
    }
    for (i : 0 .. R - 1) {
        used = used | heldBits[i];
#ifndef BROKEN_FORGETS_TIMELINE
        usedTimelines = (heldTimeline[i] == NONE -> usedTimelines : usedTimelines | (1 << heldTimeline[i]))
#endif
    }
    CHECK(FREE_SNAPSHOT, nextIndex == NONE || (used & (1 << nextIndex)) == 0);
    CHECK(FREE_TIMELINE, nextTimeline == NONE || (usedTimelines & (1 << nextTimeline)) == 0);
#ifndef NUMBERS_KEPT
    nextIndex = NONE;
    nextTimeline = NONE;
#endif
    chooseFree(nextIndex, SNAPSHOTS, used);
    chooseFree(nextTimeline, TIMELINES, usedTimelines);
    CHECK(FREE_SNAPSHOT, nextIndex != NONE);
    CHECK(FREE_TIMELINE, nextTimeline != NONE);
    previousBits = 0;
    previousTimeline = NONE
}

inline chooseFree(next, count, inUse) {
    for (i : 0 .. count - 1) {
        if
        :: next == NONE && (inUse & (1 << i)) == 0 -> next = i
        :: else
        fi
    }
}

/* The next exchange has a writer of its own, and nobody needs to know any more what this one noted. */
inline startNext() {
    endWrites(now);
    now++;
    dropUnused(now - 1);
    for (i : 0 .. K - 1) {
        latest[i] = 0
    }
    for (i : 0 .. R - 1) {
        heldBits[i] = 0;
        heldTimeline[i] = NONE
    }
    timeline = NONE;
    publishedCount = 0;
    nextIndex = 0;
    nextTimeline = 0
}

#ifdef BROKEN_WRITER_WAITS
#define MAY_PUT ((NEWEST_OF(WORD(now, next)) & FRESH_BIT) == 0)
#else
#define MAY_PUT true
#endif

/* A step that loads: one for each message that it may see. */
#define LOADING(guard, location, step) \
    :: d_step { (guard) && READABLE(location, 0) -> step(0) } \
    OLDER_MESSAGES(guard, location, step)
#ifndef VIEWS
#define OLDER_MESSAGES(guard, location, step)
#elif E <= 2
#define OLDER_MESSAGES(guard, location, step) \
    :: d_step { (guard) && READABLE(location, 1) -> step(1) }
#else
#define OLDER_MESSAGES(guard, location, step) \
    :: d_step { (guard) && READABLE(location, 1) -> step(1) } \
    :: d_step { (guard) && READABLE(location, 2) -> step(2) }
#endif

mtype = { publishing, putting, askingLast, noting, moving,
    detached, attaching, constructing, forgetting, clearing, reading, asking, following, askingLatest, findingUnread, askingUnread, taking,
    moved, detaching };

/* ReaderSeat.moveTo */
inline askLast(m) {
    /* ReaderSlot.follow */
    writePlain(SLOT_DATA(now + 1, next));
    /* ExchangeWord.isFresh */
    load(WORD(now, next), m, false);
    isUnread = (loaded & FRESH_BIT) != 0;
    does = moving;
#ifndef BROKEN_UNREAD_LAST
    does = (isUnread -> noting : moving)
#endif
}

inline note() {
    store(UNREAD(next), now + 1, ORDER(UNREAD_RELEASES));
    isUnread = false;
#ifdef BROKEN_UNREAD_LAST
    moveNext()
#else
    does = moving
#endif
}

inline moveTo() {
    store(CURRENT(next), now + 1, ORDER(MOVE_TO_RELEASES));
    if
    :: isUnread -> does = noting
    :: else -> moveNext()
    fi
}

inline moveNext() {
    next++;
    does = askingLast;
    if
    :: next == R -> startNext(); next = 0; does = publishing; steps = 0
    :: else
    fi
}

active proctype Writer() {
    mtype does = publishing;
    byte next; /* The slot whose turn it is. */
    bool isUnread;
    byte steps;
    do
    :: d_step { does == publishing -> publish(false) }
#ifndef NEVER_AGAIN
    :: d_step { does == publishing && publishedCount >= K - 1 && timeline != NONE -> publish(true) }
    :: d_step { does == publishing && publishedCount == K -> publishAgain() }
#endif
    :: d_step {
        does == putting && MAY_PUT ->
        steps++;
        CHECK(WRITER_NEVER_WAITS, steps <= R);
        put(next);
        next++;
        if
        :: next == R -> choose(); next = 0; steps = 0; does = publishing
        :: else
        fi
    }
#if E > 1
    /* SnapshotExchange.handOnTo */
    :: d_step { does == publishing && now < E - 1 -> does = askingLast }
    LOADING(does == askingLast, WORD(now, next), askLast)
    :: d_step { does == noting -> note() }
    :: d_step { does == moving -> moveTo() }
#endif
    od
}

#ifdef BROKEN_TAKES_STALE
#define IS_FRESH true
#else
#define IS_FRESH ((loaded & FRESH_BIT) != 0)
#endif

/* A step of a call that may have so many. */
inline count(limit) {
    steps++;
    CHECK(READER_NEVER_WAITS, steps <= limit)
}

/* SnapshotExchange.attach */
inline attach() {
    count(R);
    /* ReaderSeat.tryTake */
    if
    :: NEWEST_OF(READER(slot)) == 0 ->
        exchange(READER(slot), 1, ORDER(TRY_TAKE_ACQUIRES), false);
        startThread();
        doing = attaching
    :: NEWEST_OF(READER(slot)) != 0 && slot + 1 < R -> slot++
    :: else ->
        WITNESS(NEVER_ALL_TAKEN, true);
        slot = 0;
        steps = 0 /* attach() throws: all slots are taken. Its caller may try again. */
    fi
}

/* SnapshotReader.tryAttach */
inline start(m) {
    /* ReaderSeat.current */
    load(CURRENT(slot), m, ORDER(CURRENT_ACQUIRES));
#ifdef BROKEN_ATTACHES_TO_FIRST
    loaded = 0;
#endif
    useSlot(loaded)
}

/* SnapshotReader.useSlot */
inline useSlot(next) {
    x = next;
    /* ReaderSlot.held */
    writePlain(SLOT_DATA(x, slot));
    leaveBefore(x);
    steps = 0;
    target = 0;
    doing = forgetting
}

/* ReaderSeat.forgetUnreadBefore */
inline findOld(m) {
    count(2);
    load(UNREAD(slot), m, ORDER(UNREAD_ACQUIRES));
    /* ReaderSlot.isAfter */
    if
    :: loaded != 0 -> readPlain(SLOT_DATA(loaded - 1, slot))
    :: else
    fi;
    if
    :: loaded != 0 && loaded - 1 <= x -> target = loaded; doing = clearing
    :: else -> finish()
    fi
}

inline clear() {
    count(2);
    WITNESS(NEVER_FORGETS, true);
#ifdef BROKEN_FORGETS_NEWER
    store(UNREAD(slot), 0, true);
#else
    if
    :: NEWEST_OF(UNREAD(slot)) == target -> exchange(UNREAD(slot), 0, false, false)
    :: else
    fi;
#endif
    finish()
}

/* The end of a call. */
inline finish() {
    doing = reading;
    target = 0;
    due = 0;
    steps = 0
}

/* SnapshotReader.acquire */
inline acquire(m) {
    count(1);
    findDue();
    /* ReaderSeat.isCurrent */
    load(CURRENT(slot), m, false);
    doing = (loaded == x -> asking : following)
}

/* ReaderSeat.newestAfter */
inline follow(m) {
    count(2);
    load(CURRENT(slot), m, ORDER(CURRENT_ACQUIRES));
    target = loaded;
    doing = askingLatest
}

inline askLatest(m) {
    count(3);
    readPlain(SLOT_DATA(target, slot));
    load(WORD(target, slot), m, false);
    doing = (IS_FRESH -> taking : findingUnread)
}

inline findUnread(m) {
    count(4);
    load(UNREAD(slot), m, ORDER(UNREAD_ACQUIRES));
    target = loaded - 1; /* NONE if there is none. */
    if
    :: loaded != 0 -> readPlain(SLOT_DATA(target, slot))
    :: else
    fi;
    doing = (loaded != 0 && target > x -> askingUnread : asking)
}

inline askUnread(m) {
    count(5);
    readPlain(SLOT_DATA(target, slot));
    load(WORD(target, slot), m, false);
    doing = (IS_FRESH -> taking : asking)
}

#if defined(BROKEN_READER_RETRIES) || defined(BROKEN_LOAD_THEN_STORE)
#define see() seen = NEWEST_OF(WORD(target, slot))
#else
#define see() skip
#endif

inline ask(m) {
    count(6);
    /* ExchangeWord.isFresh */
    load(WORD(x, slot), m, false);
    if
    :: IS_FRESH -> doing = taking; target = x; see()
    :: else ->
        if
        :: !hasWindow -> takeOver()
        :: else
        fi;
        checkNothingNew(m);
        finish()
    fi
}

/* SnapshotReader.takeOver */
inline takeOver() {
    hasWindow = HELD(x, slot) != NONE;
    WITNESS(NEVER_TAKES_OVER, hasWindow);
    CHECK(NO_WINDOW_BEFORE_K, !hasWindow || x != now || publishedCount == K)
}

#ifdef BROKEN_READER_RETRIES
#define EXCHANGE_SUCCEEDS (NEWEST_OF(WORD(target, slot)) == seen)
#else
#define EXCHANGE_SUCCEEDS true
#endif
/* SnapshotReader.take */
inline take() {
    count(7);
    if
    :: EXCHANGE_SUCCEEDS ->
        /* ExchangeWord.take */
#ifdef BROKEN_LOAD_THEN_STORE
        store(WORD(target, slot), TAKEN, true);
        loaded = seen;
#else
        exchange(WORD(target, slot), TAKEN, ORDER(TAKE_ACQUIRES), ORDER(TAKE_RELEASES));
#endif
        loaded = loaded & ~FRESH_BIT;
        checkTaken(x, HELD(x, slot), target, loaded);
        hasWindow = true;
        seen = 0;
        HELD(target, slot) = loaded;
        if
        :: target != now -> dropUnused(target)
        :: else
        fi;
        if
        :: target == x -> finish()
        :: else -> useSlot(target)
        fi
    :: else -> see()
    fi
}

/* SnapshotReader.window */
inline use() {
    useWindow(HELD(x, slot))
}

inline useWindow(word) {
    readPlain(TIMELINE_DATA(x, TIMELINE(word)));
    for (i : 0 .. K - 1) {
        readPlain(SNAPSHOT_DATA(x, WINDOW(x, NEWEST(word), i)))
    }
    checkWindow(x, word)
}

/* SnapshotReader.close */
inline close() {
    /* ReaderSlot.leave */
    writePlain(SLOT_DATA(x, slot));
    hasWindow = false;
    doing = detaching
}

/* ReaderSeat.giveUp */
inline detach() {
    store(READER(slot), 0, ORDER(GIVE_UP_RELEASES));
    endThread();
    slot = 0;
    x = 0;
    doing = detached
}

#ifdef BROKEN_READER_WAITS
#define MAY_ACQUIRE (doing == reading && (NEWEST_OF(WORD(x, slot)) & FRESH_BIT) != 0)
#else
#define MAY_ACQUIRE (doing == reading)
#endif

active [READERS] proctype Reader() {
    mtype doing = detached;
    byte slot;
    byte x; /* The exchange of the reader's slot. */
    byte target; /* The exchange to take a window from; an unread slot to forget. */
    byte due;
    bool hasWindow;
    byte seen; /* What isFresh() saw in the word: only broken readers care. */
    byte steps;
    do
    :: d_step { doing == detached -> attach() }
#if E == 1
    /* There is nothing to move to. */
    :: d_step { doing == attaching -> writePlain(SLOT_DATA(0, slot)); finish() }
    LOADING(MAY_ACQUIRE, WORD(0, slot), ask)
#else
    LOADING(doing == attaching, CURRENT(slot), start)
    LOADING(doing == forgetting, UNREAD(slot), findOld)
    :: d_step { doing == clearing -> clear() }
    LOADING(MAY_ACQUIRE, CURRENT(slot), acquire)
    LOADING(doing == following, CURRENT(slot), follow)
    LOADING(doing == askingLatest, WORD(target, slot), askLatest)
    LOADING(doing == findingUnread, UNREAD(slot), findUnread)
    LOADING(doing == askingUnread, WORD(target, slot), askUnread)
    LOADING(doing == asking, WORD(x, slot), ask)
#endif
    :: d_step { doing == taking -> take() }
    :: d_step { doing == reading && hasWindow -> use() }
#ifdef VIEWS
    :: d_step { doing == reading -> learnMessages() }
#endif
#ifndef BROKEN_READER_WAITS
    :: d_step { doing == reading -> close() }
#endif
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
