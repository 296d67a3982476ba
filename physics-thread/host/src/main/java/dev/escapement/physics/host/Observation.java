package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The newest state of many worlds as one array of numbers: [world][body][component]. For learning loops and dashboards.
 *
 * <pre>{@code
 * try (Observation seen = host.observe(10, List.of(Observation.POSITION, Observation.VELOCITY))) {
 *     float[] state = new float[seen.size()];
 *     while (learning) {
 *         host.tickAll();
 *         seen.copyTo(state); // state[(world * 10 + body) * 6 + component]
 *     }
 * }
 * }</pre>
 *
 * <p>The numbers of one world are of one tick; worlds that tick by the clock are at ticks of their own. A body is where its slot says, the
 * lowest first. What is not there is NaN: a world without a window yet, a slot without a body.
 *
 * <p><b>Threads.</b> One at a time: that of the first copy, for as long as it lives. Copies are wait-free and allocate nothing.
 */
public final class Observation implements AutoCloseable {

    /** The position: x, y, z in metres. */
    public static final List<Integer> POSITION = List.of(0, 1, 2);

    /** The rotation as a quaternion: x, y, z, w. */
    public static final List<Integer> ROTATION = List.of(3, 4, 5, 6);

    /** The velocity: x, y, z in metres a second. The layouts of the worlds must have velocities. */
    public static final List<Integer> VELOCITY = List.of(7, 8, 9);

    private static final int FIRST_CHANNEL = 10;

    private final List<PhysicsService> worlds;
    private final SnapshotReader[] readers;
    private final int bodies;
    private final int[] components;
    private final long[] ticks;

    /** For the copy into a buffer: the numbers of one world. */
    private final float[] ofWorld;

    /** Attaches a reader to each world, but to those that are being closed. */
    Observation(Seat[] seats, int bodies, List<List<Integer>> components) {
        if (bodies < 1) {
            throw new IllegalArgumentException(
                    "an observation needs at least 1 body of each world, but was told " + bodies);
        }
        this.bodies = bodies;
        this.components = components.stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
        if (this.components.length == 0) {
            throw new IllegalArgumentException("an observation needs components, such as Observation.POSITION");
        }
        if ((long) bodies * this.components.length * Math.max(1, seats.length) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an observation of " + seats.length + " worlds with " + bodies
                    + " bodies and " + this.components.length + " components is too long for an array");
        }
        ofWorld = new float[bodies * this.components.length];
        List<PhysicsService> seen = new ArrayList<>();
        List<SnapshotReader> attached = new ArrayList<>();
        for (Seat seat : seats) {
            try {
                attached.add(seat.service.newReader());
                seen.add(seat.service);
            } catch (Throwable thrown) {
                if (!(thrown instanceof IllegalStateException && seat.isLeaving())) {
                    attached.forEach(SnapshotReader::close);
                    throw thrown;
                }
            }
        }
        worlds = List.copyOf(seen);
        readers = attached.toArray(SnapshotReader[]::new);
        ticks = new long[readers.length];
    }

    /**
     * {@return a component: one channel of the layout}
     *
     * @param index which, as the layout lists them
     */
    public static List<Integer> channel(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("a channel has an index from 0 on, but was told " + index);
        }
        return List.of(FIRST_CHANNEL + index);
    }

    /** {@return the worlds, in the order of the numbers} */
    public List<PhysicsService> worlds() {
        return worlds;
    }

    /** {@return how many numbers there are: worlds times bodies times components} */
    public int size() {
        return Math.multiplyExact(readers.length, ofWorld.length);
    }

    /**
     * {@return the tick of which the last copy has the numbers; 0 if the world had no window yet}
     *
     * @param world its index in {@link #worlds()}
     */
    public long tick(int world) {
        return ticks[world];
    }

    /**
     * Copies the newest state of all worlds.
     *
     * @param to gets it, from index 0 on
     * @throws IllegalArgumentException if it is too short
     * @throws IllegalStateException    if a component is not in the layout of a world
     */
    public void copyTo(float[] to) {
        require(to.length);
        for (int world = 0; world < readers.length; world++) {
            copy(world, to, world * ofWorld.length);
        }
    }

    /**
     * Copies the newest state of all worlds, for example into a direct buffer that native code reads.
     *
     * @param to gets it, from its position on, which moves behind it
     * @throws IllegalArgumentException if it has too little room
     * @throws IllegalStateException    if a component is not in the layout of a world
     */
    public void copyTo(FloatBuffer to) {
        require(to.remaining());
        for (int world = 0; world < readers.length; world++) {
            copy(world, ofWorld, 0);
            to.put(ofWorld);
        }
    }

    private void require(int room) {
        if (room < size()) {
            throw new IllegalArgumentException("an observation of " + readers.length + " worlds with " + bodies
                    + " bodies and " + components.length + " components needs room for " + size()
                    + " numbers, but there is room for " + room);
        }
    }

    private void copy(int world, float[] to, int from) {
        SnapshotReader reader = readers[world];
        reader.acquire();
        if (!reader.hasWindow()) {
            Arrays.fill(to, from, from + ofWorld.length, Float.NaN);
            return;
        }
        Snapshot newest = reader.window().newest();
        ticks[world] = newest.tick();
        for (int component = 0; component < components.length; component++) {
            copy(newest, components[component], to, from + component);
        }
    }

    private void copy(Snapshot snapshot, int component, float[] to, int from) {
        int slots = Math.min(bodies, snapshot.bodies().slotCount());
        for (int slot = 0; slot < slots; slot++) {
            to[from + slot * components.length] = snapshot.bodies().exists(slot)
                    ? array(snapshot, slot >>> PoseBlock.SHIFT, component)[slot & PoseBlock.MASK]
                    : Float.NaN;
        }
        for (int slot = slots; slot < bodies; slot++) {
            to[from + slot * components.length] = Float.NaN;
        }
    }

    private static float[] array(Snapshot snapshot, int block, int component) {
        PoseBlock poses = snapshot.poses().block(block);
        return switch (component) {
            case 0 -> poses.px;
            case 1 -> poses.py;
            case 2 -> poses.pz;
            case 3 -> poses.qx;
            case 4 -> poses.qy;
            case 5 -> poses.qz;
            case 6 -> poses.qw;
            case 7, 8, 9 -> velocity(snapshot, block, component);
            default -> channel(poses, component - FIRST_CHANNEL);
        };
    }

    private static float[] velocity(Snapshot snapshot, int block, int component) {
        if (!snapshot.layout().hasTangents()) {
            throw new IllegalStateException("a world has no velocities in its layout " + snapshot.layout()
                    + "; build it with layout(...) that has tangents, or leave out VELOCITY");
        }
        return switch (component) {
            case 7 -> snapshot.motion(block).vx;
            case 8 -> snapshot.motion(block).vy;
            default -> snapshot.motion(block).vz;
        };
    }

    private static float[] channel(PoseBlock poses, int index) {
        if (index >= poses.channels.length) {
            throw new IllegalStateException("a world has " + poses.channels.length
                    + " channels in its layout, but channel " + index + " was asked for");
        }
        return poses.channels[index];
    }

    /** Gives the readers back. Idempotent. */
    @Override
    public void close() {
        for (SnapshotReader reader : readers) {
            reader.close();
        }
    }
}
