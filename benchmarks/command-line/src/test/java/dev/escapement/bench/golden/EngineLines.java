package dev.escapement.bench.golden;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.EngineBodies;
import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.demo.Pushable;
import dev.escapement.bench.run.World;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Records a run of a demonstration world as text lines: state hashes, events and the log. At fixed ticks, input pushes and drags bodies. A
 * seeded generator makes bodies spawn, despawn and teleport.
 */
final class EngineLines implements TickHook {

    private static final TickRate RATE = TickRate.hertz(100);
    static final int BODIES = 30;
    private static final int KEY_SPACE = 32;
    private static final int KEY_RIGHT = 262;

    private final List<String> lines = new ArrayList<>();
    private final Bits bits = new Bits();
    private boolean hasEvents;

    /** The number of touching pairs of shapes, by pair of bodies. */
    private final Map<List<Long>, Integer> touching = new HashMap<>();

    private final Set<List<Long>> touchedBefore = new HashSet<>();

    List<String> run(Engine engine, Simulation simulation, Path log) throws Exception {
        lines.add("# " + engine.version());
        lines.add("# tick, state hash; or tick, CRC32C of its events");
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(log, World.describe(engine, BODIES, RATE));
                InlineDriver driver = PhysicsService.builder(simulation)
                        .with(recording)
                        .with(this)
                        .inline(clock)) {
            run(simulation, driver, clock);
        }
        if (engine == Engine.SPRING) { // for one engine only, because the format of the log is the same for all
            byte[] bytes = Files.readAllBytes(log);
            lines.add("log of " + bytes.length + " bytes "
                    + bits.add(ByteBuffer.wrap(bytes)).take());
        }
        return lines;
    }

    private void run(Simulation simulation, InlineDriver driver, ManualClock clock) throws Exception {
        EventStream all = driver.events(1 << 12);
        EventStream events = driver.events(1 << 12);
        SplittableRandom random = new SplittableRandom(1);
        for (int tick = 1; tick <= 300; tick++) {
            if (tick % 25 == 0 && simulation instanceof EngineBodies<?> stressed) {
                stressed.stress(random);
            }
            offer(tick, driver.input(), clock.nanoTime() + RATE.nanosAt(1) / 4, (Pushable) simulation);
            clock.advance(RATE.nanosAt(1));
            driver.runDueTicks();
            touchedBefore.clear();
            touchedBefore.addAll(touching.keySet());
            all.drain(this::count);
            events.drain(this::addOfBodies);
            if (hasEvents) {
                lines.add(tick + " " + bits.take());
                hasEvents = false;
            }
        }
    }

    private static void offer(int tick, InputRing input, long nanos, Pushable world) {
        if (tick % 7 == 0) {
            input.offer(nanos, InputKind.APPLICATION, PushControls.PUSH_ONE, tick, 3);
        }
        switch (tick) {
            case 60 -> input.offer(nanos, InputKind.KEY_DOWN, KEY_SPACE, 0, 0);
            case 61 -> input.offer(nanos, InputKind.KEY_UP, KEY_SPACE, 0, 0);
            case 120 -> input.offer(nanos, InputKind.KEY_DOWN, KEY_RIGHT, 0, 0);
            case 150 -> input.offer(nanos, InputKind.KEY_UP, KEY_RIGHT, 0, 0);
            case 180 -> input.offer(nanos, InputKind.POINTER_DOWN, 0, 0.5f, 0.25f);
            case 210 -> {
                var held = world.position(2);
                DragInput.hold(input, nanos, BodyId.of(2, 1));
                DragInput.to(input, nanos, held.x() + 1, held.y() + 2, 0);
            }
            case 250 -> DragInput.end(input, nanos);
            default -> {}
        }
    }

    @Override
    public void stepped(TickHook.Stepped tick) {
        if (tick.tick().number() % 10 == 0) {
            lines.add(tick.tick().number() + " " + HexFormat.of().toHexDigits(tick.stateHash()));
        }
    }

    private static boolean isContact(BodyEvent event) {
        return event.kind() == BodyEvent.Kind.CONTACT_BEGAN || event.kind() == BodyEvent.Kind.CONTACT_ENDED;
    }

    private void count(BodyEvent event) {
        if (isContact(event)) {
            int change = event.kind() == BodyEvent.Kind.CONTACT_BEGAN ? 1 : -1;
            touching.merge(pair(event), change, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /**
     * Adds a contact event per pair of bodies, not per pair of shapes. The contact begins with the first touching pair of shapes and ends
     * with the last. All shapes of the engine that belong to no body count as one body.
     */
    private void addOfBodies(BodyEvent event) {
        List<Long> pair = pair(event);
        boolean touches = touching.containsKey(pair);
        if (!isContact(event)) {
            add(event);
        } else if (touches == (event.kind() == BodyEvent.Kind.CONTACT_BEGAN)
                // one event, even if several pairs of shapes change
                && (touches ? touchedBefore.add(pair) : touchedBefore.remove(pair))) {
            add(event);
        }
    }

    private static List<Long> pair(BodyEvent event) {
        return List.of(event.body(), event.other());
    }

    private void add(BodyEvent event) {
        hasEvents = true;
        bits.add(event.kind().name()).add(event.tick()).add(event.body()).add(event.other());
        bits.add(event.userData()).add(event.otherUserData());
        bits.add(event.x(), event.y(), event.z(), event.nx(), event.ny(), event.nz());
        bits.add(event.impulse(), event.closingSpeed());
    }
}
