package dev.escapement.bench.measure;

import java.util.Arrays;

/**
 * Points of a curve, recorded without allocating by one thread and read when it has ended. Where there are too many they are thinned
 * evenly: of so many in a row the least and the greatest stay. The curve covers all of a run, however long, and no spike is lost.
 */
public final class Series {

    /** As many as a screen can show; a multiple of what is thinned together. */
    static final int MOST_POINTS = 400;

    private static final int THINNED_TOGETHER = 4;

    private final double[] x = new double[MOST_POINTS];
    private final double[] y = new double[MOST_POINTS];
    private int size;

    /** How many points in a row are kept as two; 1 as long as all are kept. */
    private int rowLength = 1;

    /** How many points of the last row have come. */
    private int inRow;

    /** Adds a point. */
    public void add(double newX, double newY) {
        if (inRow == 0 && size == x.length) {
            thin();
        }
        if (inRow < 2) {
            put(size++, newX, newY);
        } else {
            widen(newX, newY);
        }
        inRow = inRow + 1 == rowLength ? 0 : inRow + 1;
    }

    /** The row's least and greatest point are the last two, in the order of recording. */
    private void widen(double newX, double newY) {
        int first = size - 2;
        int second = size - 1;
        if (newY > Math.max(y[first], y[second]) || newY < Math.min(y[first], y[second])) {
            boolean rising = y[first] <= y[second];
            if (newY > y[second] != rising) { // the first is no extreme any more
                put(first, x[second], y[second]);
            }
            put(second, newX, newY);
        }
    }

    private void thin() {
        int all = size;
        size = 0;
        rowLength = Math.max(THINNED_TOGETHER, 2 * rowLength);
        for (int from = 0; from < all; from += THINNED_TOGETHER) {
            int least = from;
            int greatest = from;
            for (int i = from + 1; i < from + THINNED_TOGETHER; i++) {
                least = y[i] < y[least] ? i : least;
                // The last, so that these are two points where all are alike.
                greatest = y[i] >= y[greatest] ? i : greatest;
            }
            int first = Math.min(least, greatest);
            int second = Math.max(least, greatest);
            put(size++, x[first], y[first]);
            put(size++, x[second], y[second]);
        }
    }

    private void put(int point, double newX, double newY) {
        x[point] = newX;
        y[point] = newY;
    }

    /** The points' x, in the order of recording. */
    public double[] x() {
        return Arrays.copyOf(x, size);
    }

    /** The points' y, in the order of recording. */
    public double[] y() {
        return Arrays.copyOf(y, size);
    }
}
