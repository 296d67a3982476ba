package dev.escapement.state.wire;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A world drawn from a seed, captured like a simulation. Bodies come, go, fly, turn, teleport and rest; time stands still and resumes. */
public final class WireWorld {

    private static final int KEPT = 400;
    public static final TickRate RATE = TickRate.hertz(100);

    public final Timeline timeline = new Timeline(RATE);
    WritableSnapshot now;

    private final WritableSnapshot[] twoTicks;

    /** Copies of the latest ticks, with poses and bodies. */
    private final TreeMap<Long, Snapshot> kept = new TreeMap<>();

    private final PoseLayout layout;
    private final SplittableRandom random;
    private final Capture capture;
    private final List<Body> bodies = new ArrayList<>();
    private final int max;
    private final double moving;

    boolean jumps = true;

    /** Whether bodies are parented to earlier ones, change their parents, and lose them. */
    public boolean rides;

    /** Whether the centres of mass of most bodies differ from their positions, and change together with shapes. */
    public boolean isLoaded;

    /** A separate source of random numbers for centres of mass, so that they change no other draws. */
    private final SplittableRandom loads;

    private long tick;
    private double originX;
    private double originZ;

    private static final class Body {
        private long id;
        private long sinceTick;
        private final double[] at = new double[3];
        private final double[] velocity = new double[3];
        private double angle;
        private double spin;
        private boolean rests;
    }

    /** Creates a world of up to {@code max} bodies, of which the share {@code moving} moves. */
    public WireWorld(long seed, int max, double moving, PoseLayout layout) {
        random = new SplittableRandom(seed);
        loads = new SplittableRandom(seed);
        this.max = max;
        this.moving = moving;
        this.layout = layout;
        capture = new Capture(this::write, layout, RATE, max);
        now = new WritableSnapshot(max, layout);
        twoTicks = new WritableSnapshot[] {now, new WritableSnapshot(max, layout)};
        timeline.start(1_000_000_000L);
    }

    void tick() {
        if ((tick + 1) % 61 == 60) {
            timeline.changeScale(tick, TimeScale.of(tick % 2 == 1 ? 0.5 : 1));
        }
        tickInto(twoTicks[(int) (tick + 1) & 1]);
    }

    /** Runs the next tick, and writes it into a snapshot. */
    public void tickInto(WritableSnapshot next) {
        Snapshot before = now;
        tick++;
        now = next;
        now.startTick(tick, timeline.dueNanos(tick));
        now.inputsTaken(tick / 3);
        try {
            capture.captureInto(now, tick == 1 ? null : before);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        now.publishedAt(timeline.dueNanos(tick) + 700_000 + random.nextInt(200_000));
        kept.put(tick, copy());
        kept.remove(tick - KEPT);
    }

    private Snapshot copy() {
        WritableSnapshot copy = new WritableSnapshot(max, layout); // has as many slots as the world's own snapshot
        copy.startTick(tick, now.dueNanos());
        copy.inputsTaken(now.inputsTaken());
        copy.origin(now.originX(), now.originY(), now.originZ());
        copy.resize(now.poses().slotCount());
        for (int b = 0; b < now.poses().blockCount(); b++) {
            copy.poses().block(b).copyFrom(now.poses().block(b), 0, now.poses().slotsIn(b));
            copy.bodyBlock(b).copyFrom(now.bodyBlock(b));
        }
        return copy;
    }

    /** Returns the world at one of the latest ticks; null if that tick is not kept. */
    @Nullable
    Snapshot at(long number) {
        return kept.get(number);
    }

    private void write(PoseWriter poses) {
        if (tick % 97 == 96) {
            originX = tick;
            originZ = -0.5 * tick;
            poses.origin(originX, 0, originZ);
        }
        while (bodies.size() < max && (tick == 1 || random.nextInt(20) == 0)) {
            Body body = new Body();
            body.id = poses.spawn(random.nextLong() >> random.nextInt(64));
            body.sinceTick = tick;
            body.rests = random.nextDouble() >= moving;
            for (int k = 0; k < 3; k++) {
                body.at[k] = random.nextDouble(-50, 50);
                body.velocity[k] = random.nextDouble(-4, 4);
            }
            body.spin = random.nextDouble(-10, 10);
            set(poses, body);
            if (isLoaded) {
                load(poses, body);
            }
            bodies.add(body);
        }
        for (int i = bodies.size() - 1; i >= 0; i--) {
            move(poses, bodies.get(i));
            if (rides && i > 0 && random.nextInt(100) == 0) {
                Body parent = bodies.get(random.nextInt(i));
                boolean stepsOff = random.nextInt(3) == 0;
                poses.relativeTo(poses.slotOf(bodies.get(i).id), stepsOff ? 0 : parent.id);
            }
            if (isLoaded && loads.nextInt(300) == 0) {
                load(poses, bodies.get(i));
                poses.reshape(poses.slotOf(bodies.get(i).id));
            }
            if (random.nextInt(4000) == 0) {
                poses.despawn(bodies.remove(i).id);
            }
        }
    }

    private void load(PoseWriter poses, Body body) {
        float metres = loads.nextInt(4) == 0 ? 0 : 1;
        poses.centreOfMass(
                poses.slotOf(body.id), metres, metres * loads.nextInt(3), metres * (float) loads.nextDouble());
    }

    private void move(PoseWriter poses, Body body) {
        if (random.nextInt(500) == 0) {
            body.rests = random.nextDouble() >= moving;
        }
        if (body.rests || body.sinceTick == tick) {
            return;
        }
        if (random.nextInt(300) == 0 && jumps) {
            body.at[1] += 20;
            poses.teleport(poses.slotOf(body.id));
        }
        for (int k = 0; k < 3; k++) {
            body.velocity[k] += random.nextDouble(-0.1, 0.1);
            body.at[k] += body.velocity[k] * RATE.dtSeconds();
        }
        body.angle += body.spin * RATE.dtSeconds();
        set(poses, body);
    }

    private void set(PoseWriter poses, Body body) {
        int slot = poses.slotOf(body.id);
        double half = body.angle / 2;
        double sine = StrictMath.sin(half);
        poses.set(
                slot,
                (float) (body.at[0] - originX),
                (float) body.at[1],
                (float) (body.at[2] - originZ),
                (float) (0.48 * sine),
                (float) (0.6 * sine),
                (float) (0.64 * sine),
                (float) StrictMath.cos(half));
        for (int channel = 0; channel < layout.channels().size(); channel++) {
            poses.channel(slot, channel, random.nextInt(8) == 0 ? 1 : (float) body.angle);
        }
    }
}
