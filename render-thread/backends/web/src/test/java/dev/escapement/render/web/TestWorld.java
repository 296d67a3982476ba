package dev.escapement.render.web;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A world that ticks on a test's command, on a manual clock. */
final class TestWorld implements Simulation, ShapeSource, Restorable {

    static final TickRate RATE = TickRate.hertz(100);
    static final long TICK_NANOS = RATE.nanosAt(1);

    final ManualClock clock = new ManualClock(1_000_000_000_000L);
    final StateHistory history = StateHistory.ofTicks(80);
    final InlineDriver driver;

    // Tests set what the world does.
    Runnable step = () -> {};
    Consumer<PoseWriter> capture = poses -> {};
    Consumer<EventWriter> events = writer -> {};
    LongFunction<@Nullable BodyShape> shapes = body -> null;
    int ticks;
    int shapeQueries;

    /** The joints of the world. If null, the query throws. */
    @Nullable
    List<BodyJoint> joints = List.of();

    int jointQueries;
    boolean eventsWanted;

    /** Code, x and y of each input event. */
    final List<String> inputs = new ArrayList<>();

    int dragger = DragInput.NOBODY;

    final List<String> cameAndWent = new ArrayList<>();

    TestWorld() {
        this("", 8192);
    }

    TestWorld(String name, int inputCapacity) {
        driver = PhysicsService.builder(this)
                .name(name)
                .rate(RATE)
                .inputCapacity(inputCapacity)
                .with(history)
                .inline(clock);
    }

    /** Creates a world of {@code bodies} bodies. In each tick, body i moves to (i, tick, 0). */
    static TestWorld of(int bodies) {
        TestWorld world = new TestWorld();
        world.capture = poses -> {
            poses.bodyCount(bodies);
            for (int i = 0; i < bodies; i++) {
                poses.set(i, i, world.ticks, 0, 0, 0, 0, 1);
            }
        };
        return world;
    }

    void tick() {
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    @Override
    public void step(Tick tick) {
        ticks = (int) tick.number();
        step.run();
        eventsWanted = tick.eventsWanted();
        for (int i = 0; i < tick.input().size(); i++) {
            InputEvent event = tick.input().event(i);
            dragger = DragInput.dragger(dragger, tick.input(), i);
            if (event.kind() == InputKind.APPLICATION) {
                inputs.add(event.code() + " " + event.x() + " " + event.y());
            } else if (event.kind() == InputKind.WHEEL) {
                inputs.add(event.toString().replaceAll(".*(WHEEL.*) at .*", "$1"));
            } else {
                cameAndWent.add(event.kind() + " " + event.sender());
            }
        }
    }

    @Override
    public void save(StateBuffer to) {
        to.put(ticks);
    }

    @Override
    public void restore(StateBuffer from) {
        ticks = (int) from.getLong();
    }

    @Override
    public void capture(PoseWriter poses) {
        capture.accept(poses);
    }

    @Override
    public void events(EventWriter writer) {
        events.accept(writer);
    }

    @Override
    public @Nullable BodyShape shape(long body) {
        shapeQueries++;
        return shapes.apply(body);
    }

    @Override
    public Stream<BodyJoint> joints() {
        jointQueries++;
        return Objects.requireNonNull(joints, "as the test wants it").stream();
    }
}
