package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Drives a simulation at 20 Hz, at which wheels turn far in a tick, and shows many frames a tick. */
public final class SlowTicks implements AutoCloseable {

    public static final double DT = 0.05;

    /** The number of frames a tick. At 20 turns a tick, a body turns by less than a third of a turn from frame to frame. */
    static final int FRAMES_A_TICK = 64;

    private static final long TICK_NANOS = 50_000_000;

    private final ManualClock clock = new ManualClock(0);
    public final FrameView view;
    public final InlineDriver driver;

    public SlowTicks(Simulation simulation) {
        driver = PhysicsService.builder(simulation).rate(TickRate.hertz(20)).inline(clock);
        view = FrameView.inline(driver.newReader());
    }

    /** Runs ticks, and one frame at the end. */
    public void tick(int ticks) {
        clock.advance(ticks * TICK_NANOS);
        driver.runDueTicks(ticks);
        view.advance(clock.nanoTime());
    }

    /** Returns the angle in radians by which a body turns about an axis in the frames of some ticks. The axis is fixed in the world. */
    double turn(long id, int ticks, double... axis) {
        double[] before = pose(view, id);
        double sum = 0;
        for (int frame = 0; frame < ticks * FRAMES_A_TICK; frame++) {
            double[] now = frame(id);
            sum += angle(now, before, axis);
            before = now;
        }
        return sum;
    }

    /** Asserts that a wheel rolls as far as its car drives along z in ten ticks, and that this is farther than a distance in metres. */
    public void assertRolls(long car, Part wheel, double leastMetres, double wheelRadius) {
        double from = pose(view, car)[2];
        double turn = turn(wheel.id(), 10, 1, 0, 0);
        double way = pose(view, car)[2] - from;
        assertThat(Math.abs(way)).isGreaterThan(Math.abs(leastMetres));
        assertThat(turn).isCloseTo(way / wheelRadius, withinPercentage(5));
    }

    double[] frame(long id) {
        clock.advance(TICK_NANOS / FRAMES_A_TICK);
        driver.runDueTicks(1);
        view.advance(clock.nanoTime());
        return pose(view, id);
    }

    /** Returns the angle of the rotation from {@code from} to {@code to} about {@code axis}; less if the rotation is about another axis. */
    static double angle(double[] to, double[] from, double[] axis) {
        double w = to[6] * from[6] + to[3] * from[3] + to[4] * from[4] + to[5] * from[5];
        double sine = 0;
        for (int i = 0; i < 3; i++) {
            int j = 3 + (i + 1) % 3;
            int k = 3 + (i + 2) % 3;
            sine += axis[i] * (to[3 + i] * from[6] - to[6] * from[3 + i] + to[k] * from[j] - to[j] * from[k]);
        }
        return 2 * Math.atan(sine / w);
    }

    /** Returns the position and the rotation of a body in a frame: x, y, z, and the quaternion x, y, z, w. */
    public static double[] pose(FrameView view, long id) {
        assertThat(view.contains(id)).as(BodyId.toString(id)).isTrue();
        PoseBlock block = view.poses().blockOf(BodyId.slot(id));
        int i = BodyId.slot(id) & PoseBlock.MASK;
        return new double[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }

    /**
     * Puts coins along x, lets a character walk through all of them in 100 ticks, and checks that the character's part touches each coin
     * once, in order.
     */
    public <W, B> void walkThroughCoins(
            GameWorld<W, B> game, WorldSimulation<W, B> simulation, Part character, IntConsumer step) {
        for (int i = 0; i < 10; i++) {
            B coin = game.addFixed(2 + 2 * i, 2, 0, 0, 0.25, 0.25);
            game.setSensor(coin, true);
            simulation.attach(coin, i);
        }
        EventStream events = driver.events(256);
        for (int i = 0; i < 100; i++) {
            step.accept(i);
            tick(1);
        }
        List<Long> coins = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                assertThat(Set.of(event.body(), event.other())).contains(character.id());
                assertThat(event.isSensor()).isTrue();
                coins.add(event.body() == character.id() ? event.otherUserData() : event.userData());
            }
        });
        assertThat(coins).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Override
    public void close() {
        view.close();
        driver.close();
    }
}
