package dev.escapement.render.web;

import dev.escapement.state.service.FigureRing;
import dev.escapement.state.service.TickFigure;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The figures of the latest ticks, and how many bodies moved in each. One thread. */
final class TickRows {

    private static final TickFigure[] FIGURES = TickFigure.values();
    private static final int KEPT = 1024;
    private static final int MOST_ROWS = 4096;

    private final long startNanos;
    private final long[] ticks = new long[KEPT];
    private final int[] moved = new int[KEPT];
    private final int[] bodies = new int[KEPT];
    private long[] rows = new long[64 * FIGURES.length];
    private int size;

    TickRows(long startNanos) {
        this.startNanos = startNanos;
        Arrays.fill(ticks, Snapshot.NEVER_WRITTEN);
    }

    /** Notes how many bodies there are, and how many moved since the tick before, if that is known. */
    void seen(Snapshot snapshot, @Nullable Snapshot before) {
        int at = at(snapshot.tick());
        ticks[at] = snapshot.tick();
        bodies[at] = snapshot.bodies().count();
        moved[at] = before == null ? -1 : moved(snapshot, before);
    }

    int moved(long tick) {
        return ticks[at(tick)] == tick ? moved[at(tick)] : -1;
    }

    int bodies(long tick) {
        return ticks[at(tick)] == tick ? bodies[at(tick)] : -1;
    }

    private static int at(long tick) {
        return (int) (tick & (KEPT - 1));
    }

    private static int moved(Snapshot now, Snapshot before) {
        int moved = 0;
        for (int b = 0; b < now.poses().blockCount(); b++) {
            MotionBlock motion = now.motion(b);
            if (motion.changedTick() == now.tick() && b < before.poses().blockCount()) {
                int slots = Math.min(now.poses().slotsIn(b), before.poses().slotsIn(b));
                int[] generation = now.bodyBlock(b).generation;
                PoseBlock to = now.poses().block(b);
                PoseBlock from = before.poses().block(b);
                for (int i = 0; i < slots; i++) {
                    if (BodyId.isLive(generation[i]) && differs(to, from, i)) {
                        moved++;
                    }
                }
            }
        }
        return moved;
    }

    private static boolean differs(PoseBlock a, PoseBlock b, int i) {
        return a.px[i] != b.px[i]
                || a.py[i] != b.py[i]
                || a.pz[i] != b.pz[i]
                || a.qx[i] != b.qx[i]
                || a.qy[i] != b.qy[i]
                || a.qz[i] != b.qz[i]
                || a.qw[i] != b.qw[i];
    }

    /** Takes over the figures of a tick, for {@link #take}. */
    void add(FigureRing.Reader reader) {
        if (size == MOST_ROWS * FIGURES.length) {
            return;
        }
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, 2 * size);
        }
        for (TickFigure figure : FIGURES) {
            rows[size++] = reader.get(figure);
        }
    }

    /** The message with all rows since the last call; null if there are none. */
    @Nullable
    String take() {
        if (size == 0) {
            return null;
        }
        StringBuilder out = new StringBuilder("{\"type\":\"ticks\",\"rows\":[");
        for (int row = 0; row < size; row += FIGURES.length) {
            long tick = rows[row];
            for (int column = 0; column < FIGURES.length; column++) {
                out.append(column > 0 ? "," : row > 0 ? ",[" : "[");
                append(out, FIGURES[column], rows[row + column]);
            }
            out.append(',').append(moved(tick)).append(',').append(bodies(tick)).append(']');
        }
        size = 0;
        return out.append("]}").toString();
    }

    private void append(StringBuilder out, TickFigure figure, long value) {
        switch (figure) {
            case DUE_NANOS, STARTED_NANOS, STEPPED_NANOS, PUBLISHED_NANOS, ENDED_NANOS ->
                out.append(value - startNanos);
            case FIRST_INPUT_NANOS -> {
                if (value == 0) {
                    out.append("null");
                } else {
                    out.append(value - startNanos);
                }
            }
            default -> out.append(value);
        }
    }
}
