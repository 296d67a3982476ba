/* The steps of SnapshotWriter. See exchange.pml. */

/* Where the writer is. */
mtype = { publishing, putting };

/* SnapshotWriter.nextSnapshot */
/* SnapshotWriter.publish */
inline publish(changes) {
    growAll();
    tick[nextIndex] = 0;
    notePrevious();
    shiftIn(nextIndex);
    /* SnapshotWriter.fillRow */
    for (i : 0 .. K - 1) {
        WINDOW(nextIndex, i) = latest[i]
    }
    writePlain(SNAPSHOT_DATA(nextIndex));
    nextIndex = NONE;
    if
    :: publishedCount == K -> useTimeline(changes || timeline == NONE); does = putting
    :: else -> choose()
    fi
}

/* SnapshotWriter.publishTimeline */
inline publishTimeline() {
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
        writePlain(TIMELINE_DATA(nextTimeline));
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
    delivered[r] = 0
}

inline exchangeLatest(r) {
    /* WindowWord.put */
    exchange(WORD(r), FRESH_BIT | WORD_OF(timeline, latest[0]), ORDER(PUT_ACQUIRES), ORDER(PUT_RELEASES));
    if
    :: (loaded & FRESH_BIT) == 0 -> heldBits[r] = previousBits; heldTimeline[r] = previousTimeline
    :: else
    fi
}

/* The end of publish(): the snapshot to write next, and the timeline to write when it changes. */
inline choose() {
    dropUnused();
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

#ifdef BROKEN_WRITER_WAITS
#define MAY_PUT ((NEWEST_OF(WORD(next)) & FRESH_BIT) == 0)
#else
#define MAY_PUT true
#endif

active proctype Writer() {
    mtype does = publishing;
    byte next; /* The slot whose turn it is. */
    byte steps;
    do
    :: d_step { does == publishing -> publish(false) }
    :: d_step { does == publishing && timeline != NONE -> publish(true) }
    :: d_step { does == publishing && publishedCount == K -> publishTimeline() }
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
    od
}
