/*
 * What the threads of exchange.pml share, in one of two memories. The protocol is the same text for both.
 *
 * One memory (default): sequential consistency. A load sees the last store; orders mean nothing.
 *
 * Views (-DVIEWS): the release/acquire part of the C11 and Java memory model, as one can execute it (a promise-free view machine).
 * A location has a history of messages, the newest first. A load takes any message that is not older than what its thread knows
 * of; an exchange takes the newest. A message carries what its writer knew if the write releases, and a load or exchange that
 * acquires learns that. An exchange also passes on what the message before it carried (a release sequence). Opaque and plain
 * accesses pass nothing on. Volatile ones are taken for release and acquire, which is weaker than they are.
 *
 * Plain data has no history. Each write must know of all reads and writes before it, each read of the last write, and otherwise
 * NEVER_RACES is violated. Reads by several readers of a slot must also know of each other, which is stricter than need be, and
 * lets one event stand for all of them.
 *
 * How a view is written. An event is a message, the last write, or the last reads of plain data. known[event] is a set of knowers: threads,
 * by _pid, and messages that carry the knowledge. So there are no timestamps that grow: a new event is known to who made it, and
 * what no thread can read any more is dropped. What a load sees of an exchange word is only whether it is fresh; therefore
 * a put over a fresh message replaces it, and of older ones that bit is kept. If a load could see a message older than those kept,
 * HISTORY_KEPT is violated.
 */

#define WORD(r) (r)
#define READER(r) (R + (r))
#define LOCATIONS (2 * R)
#define IS_WORD(location) ((location) < R)

/* Plain data: snapshots (with the rows of their windows), timelines, and what readers leave in their slots. */
#define ITEMS (SNAPSHOTS + TIMELINES + R)
#define SNAPSHOT_DATA(s) (s)
#define TIMELINE_DATA(t) (SNAPSHOTS + (t))
#define SLOT_DATA(r) (SNAPSHOTS + TIMELINES + (r))

/* A step that loads: one for each message that it may see. */
#define LOADING(guard, location, step) \
    :: d_step { (guard) && READABLE(location, 0) -> step(0) } \
    OLDER_MESSAGES(guard, location, step)
#ifndef VIEWS
#define OLDER_MESSAGES(guard, location, step)
#else
#define OLDER_MESSAGES(guard, location, step) \
    :: d_step { (guard) && READABLE(location, 1) -> step(1) }
#endif

/* A knower, see below. */
#define WRITER 1

hidden byte loaded;
hidden byte e;

#ifndef VIEWS

byte cell[LOCATIONS];

#define NEWEST_OF(location) cell[location]
#define READABLE(location, m) ((m) == 0)

inline load(location, m, acquires) {
    loaded = cell[location]
}

inline store(location, value, releases) {
    cell[location] = value
}

inline exchange(location, value, acquires, releases) {
    loaded = cell[location];
    cell[location] = value
}

inline readPlain(data) {
    skip
}

inline writePlain(data) {
    skip
}

inline forgetPlain(data, knower) {
    skip
}

inline renamePlain() {
    skip
}

inline startThread() {
    skip
}

inline endThread() {
    skip
}

#else

#if R > 1
#error "views are for one slot"
#endif

/* Messages kept for each location. */
#define M 2
#define EVERYBODY (-1)
#define MESSAGE(location, m) ((location) * M + (m))
#define WRITE(data) (LOCATIONS * M + (data))
#define READS(data) (LOCATIONS * M + ITEMS + (data))
#define EVENTS (LOCATIONS * M + 2 * ITEMS)
#define ME (1 << _pid)
#define CARRIED_BY(message) (1 << (READERS + 1 + (message)))

byte value[LOCATIONS * M];
int known[EVENTS] = EVERYBODY;

/* Who may load, or pass on to a thread that may: a detached reader may not, but what it left in the slot. */
int alive = WRITER | CARRIED_BY(MESSAGE(READER(0), 0));

hidden int renamedWrite[ITEMS];
hidden int renamedReads[ITEMS];

#define NEWEST_OF(location) value[MESSAGE(location, 0)]
#define KNOWN_TO_ME(event) ((known[event] & ME) != 0)
#define READABLE(location, m) ((m) == 0 || !KNOWN_TO_ME(MESSAGE(location, (m) - 1)))

/* Reads of which the writer knows need no longer be known to any other thread. */
inline learn(from, to) {
    for (e : 0 .. EVENTS - 1) {
        if
        :: (known[e] & (from)) != 0 -> known[e] = (e >= READS(0) && (to) == WRITER -> EVERYBODY : known[e] | (to))
        :: else
        fi
    }
}

inline forget(knower) {
    for (e : 0 .. EVENTS - 1) {
        known[e] = (known[e] == EVERYBODY -> EVERYBODY : known[e] & ~(knower))
    }
}

inline load(location, m, acquires) {
    CHECK(HISTORY_KEPT, KNOWN_TO_ME(MESSAGE(location, M - 1)));
    WITNESS(NEVER_OLD, (m) > 0);
    loaded = value[MESSAGE(location, m)];
    if
    :: acquires -> learn(CARRIED_BY(MESSAGE(location, m)), ME)
    :: else
    fi;
    for (e : m .. M - 1) {
        known[MESSAGE(location, e)] = known[MESSAGE(location, e)] | ME
    }
    dropOld(location)
}

/* Older messages that no thread can read any more. */
inline dropOld(location) {
    for (k : 1 .. M - 1) {
        if
        :: (known[MESSAGE(location, k - 1)] & alive) == alive ->
            value[MESSAGE(location, k)] = 0;
            known[MESSAGE(location, k)] = known[MESSAGE(location, k - 1)];
            forget(CARRIED_BY(MESSAGE(location, k)))
        :: else
        fi
    }
}

/* A new message, which carries what the newest one did. A slot's reader is exchanged only, so it needs no history. */
inline append(location) {
    if
    :: location != READER(0) ->
        for (k : 1 .. M - 1) {
            value[MESSAGE(location, M - k)] = value[MESSAGE(location, M - k - 1)];
            known[MESSAGE(location, M - k)] = known[MESSAGE(location, M - k - 1)] | ME;
            forget(CARRIED_BY(MESSAGE(location, M - k)));
            if
            :: IS_WORD(location) -> value[MESSAGE(location, M - k)] = value[MESSAGE(location, M - k)] & FRESH_BIT
            :: else -> learn(CARRIED_BY(MESSAGE(location, M - k - 1)), CARRIED_BY(MESSAGE(location, M - k)))
            fi
        }
        known[MESSAGE(location, 0)] = ME
    :: else
    fi
}

inline store(location, stored, releases) {
    append(location);
    forget(CARRIED_BY(MESSAGE(location, 0)));
    if
    :: releases -> learn(ME, CARRIED_BY(MESSAGE(location, 0)))
    :: else
    fi;
    NEWEST_OF(location) = stored;
    dropOld(location)
}

inline exchange(location, stored, acquires, releases) {
    loaded = NEWEST_OF(location);
    if
    :: acquires -> learn(CARRIED_BY(MESSAGE(location, 0)), ME)
    :: else
    fi;
    if
    :: IS_WORD(location) && (loaded & FRESH_BIT) != 0 && ((stored) & FRESH_BIT) != 0 ->
        known[MESSAGE(location, 0)] = known[MESSAGE(location, 0)] | ME
    :: else -> append(location)
    fi;
    if
    :: releases -> learn(ME, CARRIED_BY(MESSAGE(location, 0)))
    :: else
    fi;
    NEWEST_OF(location) = stored;
    dropOld(location)
}

inline readPlain(data) {
    CHECK(NEVER_RACES, KNOWN_TO_ME(WRITE(data)) && KNOWN_TO_ME(READS(data)));
    known[READS(data)] = ME
}

inline writePlain(data) {
    CHECK(NEVER_RACES, KNOWN_TO_ME(WRITE(data)) && KNOWN_TO_ME(READS(data)));
    known[WRITE(data)] = ME;
    known[READS(data)] = EVERYBODY
}

/* Only this knower uses the data until it is written again: what others know of it makes no difference. */
inline forgetPlain(data, knower) {
    known[WRITE(data)] = knower;
    if
    :: (known[READS(data)] & WRITER) != 0 -> known[READS(data)] = EVERYBODY
    :: else -> known[READS(data)] = 0
    fi
}

/* The writer gives snapshots and timelines other numbers, see rename(). */
inline renamePlain() {
    for (i : 0 .. SNAPSHOTS + TIMELINES - 1) {
        k = (i < SNAPSHOTS -> name[i] : SNAPSHOTS + name[i]);
        renamedWrite[k] = known[WRITE(i)];
        renamedReads[k] = known[READS(i)]
    }
    for (i : 0 .. SNAPSHOTS + TIMELINES - 1) {
        known[WRITE(i)] = renamedWrite[i];
        known[READS(i)] = renamedReads[i]
    }
}

inline startThread() {
    alive = WRITER | ME;
    forget(CARRIED_BY(MESSAGE(READER(0), 0)))
}

/* The next reader of this process is another thread: it knows nothing but what it learns with the slot. */
inline endThread() {
    forget(ME);
    alive = WRITER | CARRIED_BY(MESSAGE(READER(0), 0))
}

/* What the writer's thread passes to a caller by other means: that it has put a window, but not its contents. */
inline learnMessages() {
    for (j : 0 .. LOCATIONS * M - 1) {
        known[j] = ((known[j] & WRITER) != 0 -> known[j] | ME : known[j])
    }
    for (j : 0 .. LOCATIONS - 1) {
        dropOld(j)
    }
    j = 0
}

#endif
