package dev.escapement.bench.measure;

import java.util.Arrays;

/** Points of a curve, recorded without allocating by one thread and read when it has ended. Keeps the first so many. */
public final class Series {

    private static final int MAX_POINTS = 100_000;

    private final double[] x;
    private final double[] y;
    private int size;

    /** Makes room for about so many points. */
    public Series(double expectedPoints) {
        int capacity = (int) Math.min(MAX_POINTS, expectedPoints * 1.1 + 100);
        x = new double[capacity];
        y = new double[capacity];
    }

    /** Adds a point. */
    public void add(double newX, double newY) {
        if (size < x.length) {
            x[size] = newX;
            y[size] = newY;
            size++;
        }
    }

    /** Adds all points of another. */
    public void addAll(Series other) {
        for (int i = 0; i < other.size; i++) {
            add(other.x[i], other.y[i]);
        }
    }

    /** The points' x, in the order of recording. */
    public double[] x() {
        return Arrays.copyOf(x, size);
    }

    /** The points' y, in the order of recording. */
    public double[] y() {
        return Arrays.copyOf(y, size);
    }

    /** The points with {@code fromX <= x < toX}; the points must have been added in the order of x. */
    public Series between(double fromX, double toX) {
        int first = insertionPoint(fromX);
        int last = insertionPoint(toX);
        Series part = new Series(last - first);
        for (int i = first; i < last; i++) {
            part.add(x[i], y[i]);
        }
        return part;
    }

    private int insertionPoint(double value) {
        int at = Arrays.binarySearch(x, 0, size, value);
        return at >= 0 ? at : -at - 1;
    }
}
