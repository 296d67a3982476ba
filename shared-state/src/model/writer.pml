/* The steps of SnapshotWriter, and of handing an exchange on. See exchange.pml. */

/* Where the writer is. */
mtype = { publishing, putting, askingLast, noting, moving };

/* SnapshotWriter.nextSnapshot */
/* SnapshotWriter.publish */
inline publish(changes) {
    growAll();
    TICK(now, nextIndex) = 0;
    notePrevious();
    shiftIn(nextIndex);
    /* SnapshotWriter.fillRow */
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

/* SnapshotWriter.copyOf */
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
    /* ReaderSlot.put */
    exchange(WORD(now, r), FRESH_BIT | WORD_OF(timeline, latest[0]), ORDER(PUT_ACQUIRES), ORDER(PUT_RELEASES));
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

inline countMove() {
    steps++;
    CHECK(WRITER_NEVER_WAITS, steps <= 3 * R)
}

/* ReaderSeat.moveTo */
inline askLast(m) {
    countMove();
    /* ReaderSlot.follow */
    writePlain(SLOT_DATA(now + 1, next));
    /* ReaderSlot.isFresh */
    load(WORD(now, next), m, false);
    isUnread = (loaded & FRESH_BIT) != 0;
    does = moving;
#ifndef BROKEN_UNREAD_LAST
    does = (isUnread -> noting : moving)
#endif
}

inline note() {
    countMove();
    store(UNREAD(next), now + 1, ORDER(UNREAD_RELEASES));
    isUnread = false;
#ifdef BROKEN_UNREAD_LAST
    moveNext()
#else
    does = moving
#endif
}

inline moveTo() {
    countMove();
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
    :: d_step { does == publishing && timeline != NONE -> publish(true) }
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
