package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A client that decodes pictures as the page does, written from the protocol alone. */
final class SeenWorld {

    /**
     * The largest error of a rotation, in radians. Rounding moves each of the three sent components by at most half a code. The fourth,
     * which is computed from them, at most doubles the error of the quaternion. A rotation is off by twice the angle of its quaternion.
     */
    static final double MAX_TURN = 2 * Math.sqrt(3) * 2 * (0.5 / 511) * Math.sqrt(0.5);

    static final class Body {
        int generation;
        long userData;
        int x;
        int y;
        int z;
        int rotation;
    }

    final Map<Integer, Body> bodies = new TreeMap<>();
    final List<Integer> gone = new ArrayList<>();
    final List<Integer> came = new ArrayList<>();
    final List<Integer> snapped = new ArrayList<>();
    final List<Integer> quarantined = new ArrayList<>();
    final Map<Integer, Integer> riders = new TreeMap<>();
    final Map<Integer, List<Float>> centres = new TreeMap<>();
    final Map<Integer, List<Float>> spins = new TreeMap<>(); // rotation vectors since the tick before
    int full;
    int moved;
    int kind;
    boolean complete;
    long sequence;
    long tick;
    double dueNanos;
    double publishedNanos;
    double sentNanos;
    final double[] origin = new double[3];
    final List<double[]> pieces = new ArrayList<>();

    void see(ByteBuffer received) {
        ByteBuffer in = received.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        kind = in.get();
        complete = in.get() == 1;
        assertThat(in.getShort()).isZero();
        sequence = Integer.toUnsignedLong(in.getInt());
        tick = (long) in.getDouble();
        dueNanos = in.getDouble();
        publishedNanos = in.getDouble();
        sentNanos = in.getDouble();
        for (int i = 0; i < 3; i++) {
            origin[i] = in.getDouble();
        }
        pieces.clear();
        for (int left = in.getInt(); left > 0; left--) {
            pieces.add(new double[] {in.getDouble(), in.getDouble(), in.getDouble()});
        }
        if (complete) {
            bodies.clear();
        }
        slots(in, gone).forEach(slot -> assertThat(bodies.remove(slot)).isNotNull());
        came.clear();
        for (int left = in.getInt(); left > 0; left--) {
            Body body = new Body();
            int slot = in.getInt();
            body.generation = in.getInt();
            body.userData = Integer.toUnsignedLong(in.getInt()) | (long) in.getInt() << Integer.SIZE;
            bodies.put(slot, body);
            came.add(slot);
        }
        slots(in, snapped);
        slots(in, quarantined);
        riders.clear();
        for (int left = in.getInt(); left > 0; left--) {
            riders.put(in.getInt(), in.getInt());
        }
        vectors(in, centres);
        vectors(in, spins);
        full = in.getInt();
        for (int left = full; left > 0; left--) {
            Body body = body(in.getInt());
            body.x = in.getInt();
            body.y = in.getInt();
            body.z = in.getInt();
            body.rotation = in.getInt();
        }
        moved(in);
        assertThat(in.remaining()).isZero();
    }

    Body body(int slot) {
        return Objects.requireNonNull(bodies.get(slot));
    }

    private static void vectors(ByteBuffer in, Map<Integer, List<Float>> vectors) {
        vectors.clear();
        for (int left = in.getInt(); left > 0; left--) {
            vectors.put(in.getInt(), List.of(in.getFloat(), in.getFloat(), in.getFloat()));
        }
    }

    private static List<Integer> slots(ByteBuffer in, List<Integer> slots) {
        slots.clear();
        for (int left = in.getInt(); left > 0; left--) {
            slots.add(in.getInt());
        }
        return slots;
    }

    private void moved(ByteBuffer in) {
        List<Integer> slots = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            int first = in.getInt() * PoseBlock.CAPACITY;
            for (int word = 0; word < 32; word++) {
                int mask = in.getInt();
                for (int bit = 0; bit < 32; bit++) {
                    if ((mask >>> bit & 1) == 1) {
                        slots.add(first + 32 * word + bit);
                    }
                }
            }
        }
        moved = slots.size();
        for (int slot : slots) {
            Body body = body(slot);
            body.x += in.getShort();
            body.y += in.getShort();
            body.z += in.getShort();
            body.rotation = in.getInt();
        }
    }

    /** Checks that the client has each body of a snapshot, and no other. */
    void shouldShow(Snapshot snapshot) {
        assertThat(tick).isEqualTo(snapshot.tick());
        assertThat(origin).containsExactly(snapshot.originX(), snapshot.originY(), snapshot.originZ());
        assertThat(bodies).hasSize(snapshot.bodies().count());
        bodies.forEach((slot, body) -> {
            assertThat(snapshot.bodies().id(slot) >>> Integer.SIZE).isEqualTo(Integer.toUnsignedLong(body.generation));
            assertThat(snapshot.bodies().userData(slot)).isEqualTo(body.userData);
            PoseBlock block = snapshot.poses().blockOf(slot);
            int i = slot & PoseBlock.MASK;
            near(body.x, block.px[i]);
            near(body.y, block.py[i]);
            near(body.z, block.pz[i]);
            assertThat(turn(body.rotation, block.qx[i], block.qy[i], block.qz[i], block.qw[i]))
                    .isLessThan(MAX_TURN);
        });
    }

    private void near(int units, float metres) {
        double shown = Math.max(-1e6, Math.min(1e6, metres));
        assertThat(Math.abs(units / 1000.0 - shown)).isLessThan(0.000501);
    }

    static double turn(int code, double x, double y, double z, double w) {
        double[] decoded = new double[4];
        int largest = code >>> 30;
        double rest = 1;
        int shift = 20;
        for (int i = 0; i < 4; i++) {
            if (i != largest) {
                decoded[i] = ((code >>> shift & 1023) - 512) / 511.0 * Math.sqrt(0.5);
                rest -= decoded[i] * decoded[i];
                shift -= 10;
            }
        }
        decoded[largest] = Math.sqrt(Math.max(0, rest));
        double cosine = decoded[0] * x + decoded[1] * y + decoded[2] * z + decoded[3] * w;
        return 2 * Math.acos(Math.min(1, Math.abs(cosine)));
    }
}
