package dev.escapement.bench.handoff;

/** The ways to hand over, by name. */
public enum Contestant {
    ESCAPEMENT(true),
    LOCK(true),
    SYNCHRONIZED(false),
    FRESH_SNAPSHOT(true),
    LINKED_QUEUE(true),
    JCTOOLS(false),
    DISRUPTOR(true);

    private final boolean severalReaders;

    Contestant(boolean severalReaders) {
        this.severalReaders = severalReaders;
    }

    /** Whether it can have more than one reader. */
    public boolean hasSeveralReaders() {
        return severalReaders;
    }

    /** A new one for so many bodies and readers. */
    public Handoff create(int bodies, int readers) {
        if (readers > 1 && !severalReaders) {
            throw new IllegalArgumentException(this + " is made for one reader, not for " + readers);
        }
        return switch (this) {
            case ESCAPEMENT -> new EscapementHandoff(bodies, readers);
            case LOCK -> new LockHandoff(bodies);
            case SYNCHRONIZED -> new SynchronizedHandoff(bodies);
            case FRESH_SNAPSHOT -> new FreshSnapshotHandoff(bodies);
            case LINKED_QUEUE -> new LinkedQueueHandoff(bodies);
            case JCTOOLS -> new JctoolsHandoff(bodies);
            case DISRUPTOR -> new DisruptorHandoff(bodies);
        };
    }
}
