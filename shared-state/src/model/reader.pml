/* The steps of SnapshotReader. See exchange.pml. */

/* Where a reader is. */
mtype = { detached, attaching, reading, taking, detaching };

#ifdef BROKEN_TAKES_STALE
#define IS_FRESH true
#else
#define IS_FRESH ((loaded & FRESH_BIT) != 0)
#endif

/* A step of a call that may have this many. */
inline count(limit) {
    steps++;
    CHECK(READER_NEVER_WAITS, steps <= limit)
}

/* SnapshotExchange.attach */
inline attach() {
    count(R);
    /* ReaderSlot.tryTake */
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

/* The reader finds what the one before it left. */
inline start() {
    writePlain(SLOT_DATA(slot));
    finish()
}

/* The end of a call. */
inline finish() {
    doing = reading;
    steps = 0
}

#if defined(BROKEN_READER_RETRIES) || defined(BROKEN_LOAD_THEN_STORE)
#define see() seen = NEWEST_OF(WORD(slot))
#else
#define see() skip
#endif

/* SnapshotReader.acquire */
inline ask(m) {
    count(1);
    /* WindowWord.isFresh */
    load(WORD(slot), m, false);
    if
    :: IS_FRESH -> doing = taking; see()
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
    hasWindow = held[slot] != NONE;
    WITNESS(NEVER_TAKES_OVER, hasWindow);
    CHECK(NO_WINDOW_BEFORE_K, !hasWindow || publishedCount == K)
}

#ifdef BROKEN_READER_RETRIES
#define EXCHANGE_SUCCEEDS (NEWEST_OF(WORD(slot)) == seen)
#else
#define EXCHANGE_SUCCEEDS true
#endif

/* SnapshotReader.take */
inline take() {
    count(2);
    if
    :: EXCHANGE_SUCCEEDS ->
        /* WindowWord.take */
#ifdef BROKEN_LOAD_THEN_STORE
        store(WORD(slot), TAKEN, true);
        loaded = seen;
#else
        exchange(WORD(slot), TAKEN, ORDER(TAKE_ACQUIRES), ORDER(TAKE_RELEASES));
#endif
        loaded = loaded & ~FRESH_BIT;
        checkTaken(held[slot], loaded);
        hasWindow = true;
        seen = 0;
        held[slot] = loaded;
        finish()
    :: else -> see()
    fi
}

/* SnapshotReader.window */
inline use() {
    useWindow(held[slot])
}

inline useWindow(word) {
    readPlain(TIMELINE_DATA(TIMELINE(word)));
    for (i : 0 .. K - 1) {
        readPlain(SNAPSHOT_DATA(WINDOW(NEWEST(word), i)))
    }
    checkWindow(word)
}

/* SnapshotReader.close */
inline close() {
    writePlain(SLOT_DATA(slot));
    hasWindow = false;
    doing = detaching
}

/* ReaderSlot.release */
inline detach() {
    store(READER(slot), 0, ORDER(READER_RELEASES));
    endThread();
    slot = 0;
    doing = detached
}

#ifdef BROKEN_READER_WAITS
#define MAY_ACQUIRE (doing == reading && (NEWEST_OF(WORD(slot)) & FRESH_BIT) != 0)
#else
#define MAY_ACQUIRE (doing == reading)
#endif

active [READERS] proctype Reader() {
    mtype doing = detached;
    byte slot;
    bool hasWindow;
    byte seen; /* What isFresh() saw in the word: only broken readers care. */
    byte steps;
    do
    :: d_step { doing == detached -> attach() }
    :: d_step { doing == attaching -> start() }
    LOADING(MAY_ACQUIRE, WORD(slot), ask)
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
