package dev.escapement.state.world;

import java.lang.invoke.VarHandle;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latest rows of metrics of one thread, for any number of readers. Each reader sees every row once, in order. A reader that the writer
 * has overtaken continues with the oldest row left, and counts the rows that it missed.
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
 *   <li>One thread writes. If another thread takes over, all writes of the first thread happen before its own.
 *   <li>One thread at a time uses a {@link Reader}.
 * </ol>
 *
 * <p><b>Guarantees.</b>
 * <ol>
 *   <li>A row that a reader gets has the values of one {@code begin} to {@code end}, never of two.
 *   <li>A reader gets rows in the order of writing, each at most once, and misses none of the latest {@code rows - 1}.
 *   <li>Rows got and rows missed add up to the rows written since the reader was created.
 * </ol>
 *
 * <p><b>Progress.</b> Writing is wait-free: the number of stores does not depend on readers. Reading is lock-free: a reader that the writer
 * overtakes while it copies a row tries a later one.
 *
 * @param <M> names the columns of a row, in their order
 */
@SuppressWarnings("EnumOrdinal")
public final class MetricRing<M extends Enum<M>> {

    private final int columns;
    private final int mask;
    private final AtomicLongArray metrics;

    /** Counts the rows that were begun. The writer may have overwritten rows with numbers below {@code begunRows - rows}. */
    private final AtomicLong begunRows = new AtomicLong();

    /** Counts the rows that were ended. Readers may read rows with numbers below this count. */
    private final AtomicLong endedRows = new AtomicLong();

    /**
     * Creates an empty ring.
     *
     * @param rows the number of rows kept, a power of two, at least 2
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
        // Opaque, then a fence, partner of the fence in Reader.copy: a reader that sees a metric of this row also
        // sees its begin. Else the reader would take a mixture of two rows for the older one.
        begunRows.setOpaque(endedRows.getPlain() + 1);
        VarHandle.storeStoreFence();
        int at = firstOf(endedRows.getPlain());
        for (int column = 0; column < columns; column++) {
            metrics.setOpaque(at + column, 0);
        }
    }

    /**
     * Sets a metric of the row that was begun. Writing thread.
     *
     * @param metric the metric
     * @param value  its value
     */
    public void set(M metric, long value) {
        // Opaque, partner of the loads in Reader.copy: no reader sees half of a long. The release in end orders the row
        // as a whole.
        metrics.setOpaque(firstOf(endedRows.getPlain()) + metric.ordinal(), value);
    }

    /** Ends the row: readers may see it. Writing thread. */
    public void end() {
        // Release, pairs with the acquire in Reader.next: a reader that sees the row as ended sees its metrics.
        endedRows.setRelease(endedRows.getPlain() + 1);
    }

    private int firstOf(long row) {
        return (int) (row & mask) * columns;
    }

    /** {@return a reader for one thread, which gets the rows that are ended from now on} Any thread. */
    public Reader newReader() {
        return new Reader(endedRows.getAcquire()); // like Reader.next, which acquires again before it copies a row
    }

    /** Reads the rows of a ring, one after the other. One thread at a time. */
    public final class Reader {

        private final long[] row = new long[columns];
        private long nextRow;
        private long missedRows;

        private Reader(long nextRow) {
            this.nextRow = nextRow;
        }

        /** {@return whether there was another row, which {@link #get} reads now} */
        public boolean next() {
            while (true) {
                // Acquire, pairs with the release in end: else a copy could have metrics from before the row was ended.
                long end = endedRows.getAcquire();
                if (nextRow == end) {
                    return false;
                }
                long oldest = Math.max(nextRow, end - mask);
                missedRows += oldest - nextRow;
                nextRow = oldest;
                if (copy(nextRow)) {
                    nextRow++;
                    return true;
                }
            }
        }

        /** Copies a row. Returns false if the writer has begun to overwrite it. */
        private boolean copy(long number) {
            int at = firstOf(number);
            for (int column = 0; column < columns; column++) {
                row[column] = metrics.getOpaque(at + column);
            }
            // Partner of the fence in begin: this reader loads begunRows after the metrics. So it sees the begin of a
            // later row if it has seen a metric of that row.
            VarHandle.loadLoadFence();
            return begunRows.getOpaque() - number <= mask + 1L;
        }

        /**
         * {@return a metric of the row that {@link #next()} took last}
         *
         * @param metric the metric
         */
        public long get(M metric) {
            return row[metric.ordinal()];
        }

        /** {@return the number of rows that the writer overwrote before this reader took them} */
        public long missed() {
            return missedRows;
        }
    }
}
