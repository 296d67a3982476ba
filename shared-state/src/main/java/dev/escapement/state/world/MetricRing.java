package dev.escapement.state.world;

import java.lang.invoke.VarHandle;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latest rows of metrics of one thread, for any number of readers. Each reader sees every row once, in order, unless it is slower than
 * the ring: then it continues with the oldest row that is left, and counts those that it missed.
 *
 * <pre>{@code
 * MetricRing<TickMetric> ring = new MetricRing<>(1024, TickMetric.class);
 *
 * ring.begin();                                        // the writing thread
 * ring.set(TickMetric.TICK, tick);
 * ring.end();
 *
 * MetricRing<TickMetric>.Reader reader = ring.newReader();         // another thread
 * while (reader.next()) {
 *     show(reader.get(TickMetric.TICK));
 * }
 * }</pre>
 *
 * <p><b>Assumptions.</b>
 * <ol>
 *   <li>One thread writes. If another thread takes over, what the first one did happens before.
 *   <li>Each {@link Reader} is used by one thread at a time.
 * </ol>
 *
 * <p><b>Guarantees.</b>
 * <ol>
 *   <li>A row that a reader gets has the values of one {@code begin} to {@code end}, never of two.
 *   <li>A reader gets rows in the order of writing, each at most once, and misses none that is among the latest {@code rows - 1}.
 *   <li>Rows got and rows missed add up to the rows written since the reader was created.
 * </ol>
 *
 * <p><b>Progress.</b> Writing is wait-free: the number of stores does not depend on readers. Reading is lock-free: a
 * reader that is overtaken while it copies a row tries a later one.
 *
 * @param <M> names the columns of a row, in their order
 */
@SuppressWarnings("EnumOrdinal")
public final class MetricRing<M extends Enum<M>> {

    private final int columns;
    private final int mask;
    private final AtomicLongArray metrics;

    /** How many rows were begun: those up to {@code begun - rows} may be overwritten. */
    private final AtomicLong begun = new AtomicLong();

    /** How many rows were ended: those below may be read. */
    private final AtomicLong ended = new AtomicLong();

    /**
     * Creates an empty ring.
     *
     * @param rows how many rows are kept, a power of two, at least 2
     * @param type the metrics of a row
     * @throws IllegalArgumentException if the number of rows is out of its range
     */
    public MetricRing(int rows, Class<M> type) {
        if (rows < 2 || Integer.bitCount(rows) != 1) {
            throw new IllegalArgumentException("a ring needs a power of two of rows, at least 2, but has " + rows
                    + "; 1024 hold the ticks of 10 s");
        }
        columns = EnumSet.allOf(type).size();
        mask = rows - 1;
        metrics = new AtomicLongArray(Math.multiplyExact(rows, columns));
    }

    /** Begins a row, whose metrics are all 0. Writing thread. */
    public void begin() {
        // Opaque, then a fence: a reader that sees a metric of this row also sees that it was begun. Partner:
        // Reader.copy.
        begun.setOpaque(ended.getPlain() + 1);
        VarHandle.storeStoreFence();
        int at = firstOf(ended.getPlain());
        for (int column = 0; column < columns; column++) {
            metrics.setOpaque(at + column, 0);
        }
    }

    /**
     * Sets a metric of the row that was begun. Writing thread.
     *
     * @param metric which one
     * @param value  its value
     */
    public void set(M metric, long value) {
        // Opaque: no reader sees half of a long. The order of metrics within a row means nothing.
        metrics.setOpaque(firstOf(ended.getPlain()) + metric.ordinal(), value);
    }

    /** Ends the row: readers may see it. Writing thread. */
    public void end() {
        // Release: a reader that sees the row as ended sees its metrics. Partner: the acquire in Reader.next.
        ended.setRelease(ended.getPlain() + 1);
    }

    private int firstOf(long row) {
        return (int) (row & mask) * columns;
    }

    /** {@return a reader for one thread, which gets the rows that are ended from now on} Any thread. */
    public Reader newReader() {
        return new Reader(ended.getAcquire());
    }

    /** Reads the rows of a ring, one after the other. One thread at a time. */
    public final class Reader {

        private final long[] row = new long[columns];
        private long next;
        private long missed;

        private Reader(long next) {
            this.next = next;
        }

        /** {@return whether there was a next row, which {@link #get} has now} Takes it. */
        public boolean next() {
            while (true) {
                // Acquire: sees the metrics of every row that it sees as ended. Partner: the release in end.
                long end = ended.getAcquire();
                if (next == end) {
                    return false;
                }
                long oldest = Math.max(next, end - mask);
                missed += oldest - next;
                next = oldest;
                if (copy(next)) {
                    next++;
                    return true;
                }
            }
        }

        /** Copies a row. False if the writer has begun to overwrite it. */
        private boolean copy(long number) {
            int at = firstOf(number);
            for (int column = 0; column < columns; column++) {
                row[column] = metrics.getOpaque(at + column);
            }
            // The metrics first, then how many rows were begun: if one of them was of a later row, this sees its begin.
            VarHandle.loadLoadFence(); // partner: the fence in begin
            return begun.getOpaque() - number <= mask + 1L;
        }

        /**
         * {@return a metric of the row that {@link #next()} took last}
         *
         * @param metric which one
         */
        public long get(M metric) {
            return row[metric.ordinal()];
        }

        /** {@return how many rows were overwritten before this reader could take them} */
        public long missed() {
            return missed;
        }
    }
}
