package dev.escapement.bench.measure;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Points of a curve. One thread records them without allocating; other threads read them after it has ended. If there are too many points,
 * the series groups neighbours and keeps only the point of each group that is farthest from 0. So the curve spans a run of any length, and
 * shows every spike.
 */
public final class Series {

    /** The maximum number of points, as many as a plot on a screen can show. It must be even. */
    static final int MAX_POINTS = 400;

    private final double[] x = new double[MAX_POINTS];
    private final double[] y = new double[MAX_POINTS];
    private int size;

    /** The number of recorded points per group, of which one is kept. */
    private int rowLength = 1;

    private int inRow;

    /** A point of a curve. */
    public record Point(double x, double y) {}

    public void add(double newX, double newY) {
        if (inRow == 0) {
            if (size == MAX_POINTS) {
                thin();
            }
            put(size++, newX, newY);
        } else if (Math.abs(newY) > Math.abs(y[size - 1])) {
            put(size - 1, newX, newY);
        }
        inRow = (inRow + 1) % rowLength;
    }

    private void thin() {
        size /= 2;
        rowLength *= 2;
        for (int point = 0; point < size; point++) {
            int one = 2 * point;
            int kept = Math.abs(y[one]) >= Math.abs(y[one + 1]) ? one : one + 1;
            put(point, x[kept], y[kept]);
        }
    }

    private void put(int point, double newX, double newY) {
        x[point] = newX;
        y[point] = newY;
    }

    public List<Point> points() {
        return IntStream.range(0, size).mapToObj(i -> new Point(x[i], y[i])).toList();
    }
}
