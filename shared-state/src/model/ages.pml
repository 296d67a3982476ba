/*
 * What properties look at, and no step of the protocol does: ages of ticks, what was delivered, and the renaming that makes states one
 * which differ only by numbers or by what nobody can see any more.
 */

/* Ages, in ticks before the latest. A window just taken is 1 old at most; its oldest snapshot K. */
#define OLD (K + 1)

/* Snapshot.tick, as an age. */
byte tick[E * SNAPSHOTS] = OLD;
#define TICK(x, s) tick[(x) * SNAPSHOTS + (s)]

/* The age of the window that a writer which forgets nobody has last put into each word. */
byte delivered[E * R] = NONE;
#define DELIVERED(x, r) delivered[(x) * R + (r)]

/* The first exchange that a slot's readers can still use. */
byte firstUsed[R];

/* Used within one step only, so no part of the state. */
hidden byte i;
hidden byte j;
hidden byte k;
hidden byte names;
hidden byte timelineNames;
hidden byte name[SNAPSHOTS + TIMELINES];
hidden byte renamedTick[SNAPSHOTS];
hidden byte renamed[SNAPSHOTS * K];
hidden int renamedBits;
hidden int used;
hidden int usedNewest;
hidden int usedTimelines;

inline grow(anAge) {
    if
    :: anAge < OLD -> anAge++
    :: else
    fi
}

inline growAll() {
    for (i : 0 .. E * SNAPSHOTS - 1) {
        grow(tick[i])
    }
    for (i : 0 .. E * R - 1) {
        grow(delivered[i])
    }
}

#define AGE(x, word) TICK(x, NEWEST(word))

inline checkWindow(x, word) {
    WITNESS(NEVER_HOLDS_LONG, AGE(x, word) == OLD);
    CHECK(NEVER_TORN, (x) != now || TIMELINE(word) != nextTimeline);
    for (i : 0 .. K - 1) {
        j = WINDOW(x, NEWEST(word), i);
        CHECK(NEVER_TORN, (x) != now || j != nextIndex);
        j = TICK(x, j);
        CHECK(CONSECUTIVE, j == (AGE(x, word) + i < OLD -> AGE(x, word) + i : OLD))
    }
    j = 0 /* Spin wants no loop at the end of a step. */
}

/* The last exchange with a fresh word of which the reader knows: acquire() must return a window that is not of an earlier one. */
inline findDue() {
    due = x;
    for (i : 0 .. E - 1) {
        if
        :: i > x && (NEWEST_OF(WORD(i, slot)) & FRESH_BIT) != 0 && KNOWS_NEWEST_OF(WORD(i, slot)) -> due = i
        :: else
        fi
    }
}

/* acquire() returns without a new window, having found message m of the word not fresh. */
inline checkNothingNew(m) {
    CHECK(FRESH, due <= x);
    CHECK(FRESH, m > 0 || DELIVERED(x, slot) == NONE || (hasWindow && AGE(x, HELD(x, slot)) <= DELIVERED(x, slot)))
}

/* acquire() returns with a window of exchange 'to'; 'from' is where it was before. */
inline checkTaken(from, old, to, new) {
    CHECK(NO_WINDOW_BEFORE_K, (to) != now || publishedCount == K);
    CHECK(FRESH, (to) >= due && AGE(to, new) <= DELIVERED(to, slot));
    /* At most one of the two ages is OLD if the exchange was not handed on, so the result is exact then. */
    CHECK(FRESH, (to) != now || AGE(to, new) < OLD);
    CHECK(NEVER_BACKWARDS, old == NONE || AGE(to, new) <= AGE(from, old));
    WITNESS(NEVER_SKIPS, hasWindow && AGE(from, old) > AGE(to, new) + 1);
    WITNESS(NEVER_THE_SAME_AGAIN, hasWindow && (from) == (to) && AGE(from, old) == AGE(to, new));
    WITNESS(NEVER_MOVES, (from) != (to) && (to) == now);
    WITNESS(NEVER_MOVES_UNREAD, (from) != (to) && (to) != now)
}

/* The slot's readers have left all earlier exchanges for ever. What is there must make no difference any more, so it is removed. */
inline leaveBefore(x) {
    for (i : 0 .. E - 1) {
        if
        :: i < x && i >= firstUsed[slot] ->
            HELD(i, slot) = NONE;
            DELIVERED(i, slot) = NONE;
            reset(WORD(i, slot));
            dropUnused(i)
        :: else
        fi
    }
    firstUsed[slot] = x
}

inline useWord(word) {
    usedTimelines = usedTimelines | (1 << TIMELINE(word));
    usedNewest = usedNewest | (1 << NEWEST(word))
}

/* Removes what is in snapshots and timelines that no reader can see any more. */
inline dropUnused(x) {
    used = 0;
    usedNewest = 0;
    usedTimelines = 0;
    if
    :: x == now ->
        usedNewest = 1 << latest[0];
        usedTimelines = (timeline == NONE -> 0 : 1 << timeline);
        for (k : 0 .. publishedCount - 1) {
            used = used | (1 << latest[k])
        }
    :: else
    fi;
    for (j : 0 .. R - 1) {
        if
        :: HELD(x, j) != NONE -> useWord(HELD(x, j))
        :: else
        fi;
        if
        :: NEWEST_OF(WORD(x, j)) != TAKEN -> useWord(NEWEST_OF(WORD(x, j)))
        :: else
        fi
    }
    for (j : 0 .. SNAPSHOTS - 1) {
        for (k : 0 .. K - 1) {
            if
            :: (usedNewest & (1 << j)) != 0 -> used = used | (1 << WINDOW(x, j, k))
            :: else -> WINDOW(x, j, k) = 0
            fi
        }
    }
    for (j : 0 .. SNAPSHOTS - 1) {
        if
        :: (used & (1 << j)) == 0 -> TICK(x, j) = OLD; forgetPlain(SNAPSHOT_DATA(x, j), WRITER)
        :: else
        fi
    }
    for (j : 0 .. TIMELINES - 1) {
        if
        :: (usedTimelines & (1 << j)) == 0 -> forgetPlain(TIMELINE_DATA(x, j), WRITER)
        :: else
        fi
    }
}

inline nameNext(s) {
    if
    :: name[s] == NONE -> name[s] = names; names++
    :: else
    fi
}

inline nameTimeline(t) {
    if
    :: name[SNAPSHOTS + (t)] == NONE -> name[SNAPSHOTS + (t)] = timelineNames; timelineNames++
    :: else
    fi
}

/*
 * Before the writer chooses: numbers those in the latest window first, then those that readers hold, then the rest. Which of several free
 * ones the writer chooses makes no difference but to their numbers, and what was in them is never read. A faulty writer gains
 * nothing: it takes one for free that a reader holds all the sooner, as those have the lower numbers.
 */
inline rename() {
    names = 0;
    timelineNames = 0;
    for (i : 0 .. SNAPSHOTS + TIMELINES - 1) {
        name[i] = NONE
    }
    for (i : 0 .. K - 1) {
        nameNext(latest[i])
    }
    nameTimeline(timeline);
    for (i : 0 .. R - 1) {
        if
        :: HELD(now, i) != NONE ->
            for (j : 0 .. K - 1) {
                nameNext(WINDOW(now, NEWEST(HELD(now, i)), j))
            }
            nameTimeline(TIMELINE(HELD(now, i)))
        :: else
        fi
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        nameNext(i)
    }
    for (i : 0 .. TIMELINES - 1) {
        nameTimeline(i)
    }
    /* What has the numbers as its places. */
    for (i : 0 .. SNAPSHOTS - 1) {
        renamedTick[name[i]] = TICK(now, i);
        for (j : 0 .. K - 1) {
            k = WINDOW(now, i, j);
            renamed[name[i] * K + j] = (WINDOW(now, i, 0) == WINDOW(now, i, 1) -> 0 : name[k])
        }
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        TICK(now, i) = renamedTick[i];
        for (j : 0 .. K - 1) {
            WINDOW(now, i, j) = renamed[i * K + j]
        }
    }
    renamePlain();
    /* What contains them. */
    for (i : 0 .. K - 1) {
        latest[i] = name[latest[i]]
    }
    timeline = name[SNAPSHOTS + timeline];
    nextIndex = (nextIndex == NONE -> NONE : name[nextIndex]);
    nextTimeline = (nextTimeline == NONE -> NONE : name[SNAPSHOTS + nextTimeline]);
    for (i : 0 .. R - 1) {
        renameWord(HELD(now, i), HELD(now, i) != NONE);
        renameWord(NEWEST_OF(WORD(now, i)), NEWEST_OF(WORD(now, i)) != TAKEN);
        if
        :: heldTimeline[i] != NONE -> heldTimeline[i] = name[SNAPSHOTS + heldTimeline[i]]
        :: else
        fi;
        renamedBits = 0;
        for (j : 0 .. SNAPSHOTS - 1) {
            if
            :: (heldBits[i] & (1 << j)) != 0 -> renamedBits = renamedBits | (1 << name[j])
            :: else
            fi
        }
        heldBits[i] = renamedBits
    }
}

inline renameWord(word, isOne) {
    if
    :: isOne -> word = (word & FRESH_BIT) | WORD_OF(name[SNAPSHOTS + TIMELINE(word)], name[NEWEST(word)])
    :: else
    fi
}
