package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * lowest first. What is not there is NaN: a world without a window yet or one that has ended, a slot without a body. A world that was added
 * under the name of one that has ended takes its place.
 *
 * <p><b>Threads.</b> One at a time: that of the first copy, for as long as it lives. Copies are wait-free and allocate nothing, except
 * where a world has ended: each looks for another of its name, within a lock of the host, and attaches a reader to it.
 */
public final class Observation implements AutoCloseable {

    /** The position: x, y, z in metres. */
    public static final List<Integer> POSITION = List.of(0, 1, 2);

    /** The rotation as a quaternion: x, y, z, w. */
    public static final List<Integer> ROTATION = List.of(3, 4, 5, 6);

    /**
     * The mean velocity of the last tick: x, y, z in metres a second, without jumps. 0 for a body that has just come or was teleported, and in
     * a world's first window.
     */
    public static final List<Integer> VELOCITY = List.of(7, 8, 9);

    private static final int FIRST_CHANNEL = 10;

    private final Crew crew;
    private final PhysicsService[] worlds;
    private final SnapshotReader[] readers;
    private final int bodies;
    private final int[] components;
    private final long[] ticks;

    /** For the copy into a buffer: the numbers of one world. */
    private final float[] ofWorld;

    /** Attaches a reader to each world, but to those that are being closed. */
    Observation(Crew crew, int bodies, List<List<Integer>> components) {
        if (bodies < 1) {
            throw new IllegalArgumentException(
                    "an observation needs at least 1 body of each world, but was told " + bodies);
        }
        this.crew = crew;
        this.bodies = bodies;
        this.components = components.stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
        if (this.components.length == 0 || Arrays.stream(this.components).min().getAsInt() < 0) {
            throw new IllegalArgumentException(
                    "an observation needs components, such as POSITION or channel(0), but was told " + components);
        }
        Seat[] seats = crew.all();
        if ((long) bodies * this.components.length * Math.max(1, seats.length) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an observation of " + seats.length + " worlds with " + bodies
                    + " bodies and " + this.components.length + " components is too long for an array");
        }
        ofWorld = new float[bodies * this.components.length];
        List<PhysicsService> seen = new ArrayList<>();
        List<SnapshotReader> attached = new ArrayList<>();
        try {
            for (Seat seat : seats) {
                SnapshotReader reader = attach(seat);
                if (reader != null) {
                    attached.add(reader);
                    seen.add(seat.service);
                }
            }
        } catch (Throwable refused) {
            attached.forEach(SnapshotReader::close);
            throw refused;
        }
        worlds = seen.toArray(PhysicsService[]::new);
        readers = attached.toArray(SnapshotReader[]::new);
        ticks = new long[readers.length];
    }

    /** Returns null if the world is being closed. */
    private @Nullable SnapshotReader attach(Seat seat) {
        PoseLayout layout = seat.ticks.world().layout();
        for (int component : components) {
            if (component >= FIRST_CHANNEL + layout.channels().size()) {
                throw new IllegalArgumentException(
                        "world '" + seat.ticks.world().name() + "' has "
                                + layout.channels().size() + " channels in its layout, but channel "
                                + (component - FIRST_CHANNEL) + " was asked for");
            }
        }
        try {
            return seat.service.newReader();
        } catch (IllegalStateException closed) {
            if (seat.isLeaving()) {
                return null;
            }
            throw closed;
        }
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

    /** {@return the worlds of the last copy, in the order of the numbers} */
    public List<PhysicsService> worlds() {
        return List.of(worlds);
    }

    /** {@return how many numbers there are: worlds times bodies times components} */
    public int size() {
        return Math.multiplyExact(readers.length, ofWorld.length);
    }

    /**
     * {@return the tick of which the last copy has the numbers; 0 if the world had no window yet or has ended}
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
     * @throws IllegalArgumentException if it is too short, or the layout of a world that was added in place of another lacks a component
     * @throws IllegalStateException    if such a world has no reader left
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
     * @throws IllegalArgumentException if it has too little room, or as {@link #copyTo(float[])}
     * @throws IllegalStateException    as {@link #copyTo(float[])}
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
        if (worlds[world].hasEnded()) {
            replace(world);
        }
        SnapshotReader reader = readers[world];
        reader.acquire();
        if (!reader.hasWindow() || worlds[world].hasEnded()) {
            ticks[world] = 0;
            Arrays.fill(to, from, from + ofWorld.length, Float.NaN);
            return;
        }
        Window window = reader.window();
        ticks[world] = window.newestTick();
        for (int component = 0; component < components.length; component++) {
            copy(window, components[component], to, from + component);
        }
    }

    /** Shows the world that has the name of one that has ended, if there is one. */
    private void replace(int world) {
        Seat seat = crew.find(worlds[world].name());
        SnapshotReader reader = seat == null || seat.service.hasEnded() ? null : attach(seat);
        if (seat != null && reader != null) {
            readers[world].close();
            readers[world] = reader;
            worlds[world] = seat.service;
        }
    }

    private void copy(Window window, int component, float[] to, int from) {
        for (int slot = 0; slot < bodies; slot++) {
            boolean exists = window.newest().bodies().exists(slot);
            to[from + slot * components.length] = exists ? value(window, component, slot) : Float.NaN;
        }
    }

    private static float value(Window window, int component, int slot) {
        int axis = component - VELOCITY.get(0);
        if (axis < 0 || axis >= VELOCITY.size()) {
            return array(window.newest().poses().blockOf(slot), component)[slot & PoseBlock.MASK];
        }
        Snapshot before = window.snapshot(Math.max(0, window.size() - 2));
        return (float) (moved(before, window.newest(), slot, axis)
                / window.timeline().rate().dtSeconds());
    }

    /** How far a body moved along an axis in the last tick, without jumps and corrections; metres. */
    private static double moved(Snapshot before, Snapshot newest, int slot, int axis) {
        MotionBlock motion = newest.motion(slot >>> PoseBlock.SHIFT);
        boolean isContinued =
                before != newest && before.bodies().exists(newest.bodies().id(slot));
        if (!isContinued || motion.changedTick() != newest.tick()) {
            return 0;
        }
        double metres = at(newest, slot, axis) - at(before, slot, axis);
        MotionBreaks breaks = motion.breaks();
        for (int entry = breaks.last(slot & PoseBlock.MASK); entry >= 0; entry = breaks.before(entry)) {
            double broken = axis == 0 ? breaks.x(entry) : axis == 1 ? breaks.y(entry) : breaks.z(entry);
            Kind kind = breaks.kind(entry);
            if (kind == Kind.BROKEN) {
                return 0;
            }
            metres += kind == Kind.SHIFTED ? -broken : kind == Kind.CORRECTED ? broken : 0;
        }
        return metres;
    }

    private static double at(Snapshot snapshot, int slot, int axis) {
        double origin = axis == 0 ? snapshot.originX() : axis == 1 ? snapshot.originY() : snapshot.originZ();
        return origin + array(snapshot.poses().blockOf(slot), axis)[slot & PoseBlock.MASK];
    }

    private static float[] array(PoseBlock poses, int component) {
        return switch (component) {
            case 0 -> poses.px;
            case 1 -> poses.py;
            case 2 -> poses.pz;
            case 3 -> poses.qx;
            case 4 -> poses.qy;
            case 5 -> poses.qz;
            case 6 -> poses.qw;
            default -> poses.channels[component - FIRST_CHANNEL];
        };
    }

    /** Gives the readers back. Idempotent. */
    @Override
    public void close() {
        for (SnapshotReader reader : readers) {
            reader.close();
        }
    }
}
