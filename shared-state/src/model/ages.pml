/*
 * State that only properties read, and no step of the protocol: ages of ticks, what was delivered, and the renaming that merges states
 * which differ only by numbers or by what no process can see any more.
 */

/* Ages, in ticks before the latest. A window just taken is 1 old at most; its oldest snapshot K. */
#define OLD (K + 1)

/* Snapshot.tick, as an age. */
byte tick[SNAPSHOTS] = OLD;

/* The age of the window that a writer that forgets no reader has last put into each word. */
byte delivered[R] = NONE;

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
    for (i : 0 .. SNAPSHOTS - 1) {
        grow(tick[i])
    }
    for (i : 0 .. R - 1) {
        grow(delivered[i])
    }
}

#define AGE(word) tick[NEWEST(word)]

inline checkWindow(word) {
    WITNESS(NEVER_HOLDS_LONG, AGE(word) == OLD);
    CHECK(NEVER_TORN, TIMELINE(word) != nextTimeline);
    for (i : 0 .. K - 1) {
        j = WINDOW(NEWEST(word), i);
        CHECK(NEVER_TORN, j != nextIndex);
        j = tick[j];
        CHECK(CONSECUTIVE, j == (AGE(word) + i < OLD -> AGE(word) + i : OLD))
    }
    j = 0 /* Spin wants no loop at the end of a step. */
}

/* acquire() returns without a new window, having found message m of the word not fresh. */
inline checkNothingNew(m) {
    CHECK(FRESH, m > 0 || delivered[slot] == NONE || (hasWindow && AGE(held[slot]) <= delivered[slot]))
}

/* acquire() returns with another window than the old one. */
inline checkTaken(old, new) {
    CHECK(NO_WINDOW_BEFORE_K, publishedCount == K);
    /* At most one of the two ages is OLD, so the result is exact. */
    CHECK(FRESH, AGE(new) <= delivered[slot] && AGE(new) < OLD);
    CHECK(NEVER_BACKWARDS, old == NONE || AGE(new) <= AGE(old));
    WITNESS(NEVER_SKIPS, hasWindow && AGE(old) > AGE(new) + 1);
    WITNESS(NEVER_THE_SAME_AGAIN, hasWindow && AGE(old) == AGE(new))
}

inline useWord(word) {
    usedTimelines = usedTimelines | (1 << TIMELINE(word));
    usedNewest = usedNewest | (1 << NEWEST(word))
}

/* Removes what is in snapshots and timelines that no reader can see any more. */
inline dropUnused() {
    used = 0;
    usedNewest = 1 << latest[0];
    usedTimelines = (timeline == NONE -> 0 : 1 << timeline);
    for (k : 0 .. publishedCount - 1) {
        used = used | (1 << latest[k])
    }
    for (j : 0 .. R - 1) {
        if
        :: held[j] != NONE -> useWord(held[j])
        :: else
        fi;
        if
        :: NEWEST_OF(WORD(j)) != TAKEN -> useWord(NEWEST_OF(WORD(j)))
        :: else
        fi
    }
    for (j : 0 .. SNAPSHOTS - 1) {
        for (k : 0 .. K - 1) {
            if
            :: (usedNewest & (1 << j)) != 0 -> used = used | (1 << WINDOW(j, k))
            :: else -> WINDOW(j, k) = 0
            fi
        }
    }
    for (j : 0 .. SNAPSHOTS - 1) {
        if
        :: (used & (1 << j)) == 0 -> tick[j] = OLD; forgetPlain(SNAPSHOT_DATA(j), WRITER)
        :: else
        fi
    }
    for (j : 0 .. TIMELINES - 1) {
        if
        :: (usedTimelines & (1 << j)) == 0 -> forgetPlain(TIMELINE_DATA(j), WRITER)
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
        :: held[i] != NONE ->
            for (j : 0 .. K - 1) {
                nameNext(WINDOW(NEWEST(held[i]), j))
            }
            nameTimeline(TIMELINE(held[i]))
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
        renamedTick[name[i]] = tick[i];
        for (j : 0 .. K - 1) {
            k = WINDOW(i, j);
            renamed[name[i] * K + j] = (WINDOW(i, 0) == WINDOW(i, 1) -> 0 : name[k])
        }
    }
    for (i : 0 .. SNAPSHOTS - 1) {
        tick[i] = renamedTick[i];
        for (j : 0 .. K - 1) {
            WINDOW(i, j) = renamed[i * K + j]
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
        renameWord(held[i], held[i] != NONE);
        renameWord(NEWEST_OF(WORD(i)), NEWEST_OF(WORD(i)) != TAKEN);
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
