/* The steps of SnapshotReader. See exchange.pml. */

/* Where a reader is. */
mtype = { detached, attaching, reading, following, askingLatest, findingUnread, askingUnread, asking, taking, forgetting, clearing,
    detaching };

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

/* A slot that the reader was not in before. */
inline useSlot(next) {
    /* A reader in an exchange that others have left would have their windows again. */
    CHECK(NEVER_BACKWARDS, next >= firstUsed[slot]);
    x = next;
    writePlain(SLOT_DATA(x, slot));
    leaveBefore(x);
    steps = 0;
    target = 0;
    doing = forgetting
}

/* ReaderSeat.forgetUnreadUpTo */
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

#if E == 1
#define LOADS 1 /* Whether the slot is current is not asked. */
#else
#define LOADS 6
#endif

inline ask(m) {
    count(LOADS);
    /* ReaderSlot.isFresh */
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
    count(LOADS + 1);
    if
    :: EXCHANGE_SUCCEEDS ->
        /* ReaderSlot.take */
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
        /* SnapshotReader.moveToSuccessor */
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
