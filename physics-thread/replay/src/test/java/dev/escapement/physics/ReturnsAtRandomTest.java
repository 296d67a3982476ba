package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Slice;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random rewinds, rollbacks and corrections, compared with a model that only edits lists. Compares the input of each tick, the delivered
 * events, and the states.
 */
class ReturnsAtRandomTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final long TICK_NANOS = 10_000_000;
    private static final int BODIES = 4;
    private static final int KEPT = 40;
    private static final int LATE_TICKS = 12;
    private static final int OPERATIONS = 400;

    @TempDir
    Path folder;

    static LongStream seeds() {
        return Slice.current().seeds(160, ReturnsAtRandomTest.class);
    }

    static LongStream fewerSeeds() {
        return Slice.current().seeds(80, ReturnsAtRandomTest.class);
    }

    /** Masses that report contacts with the ground: a mass counts as touching while its height is above 0. */
    private static final class Touching extends TracedMasses {

        private final TreeMap<Long, List<Integer>> touches = new TreeMap<>();
        private final TreeMap<Long, byte[]> states = new TreeMap<>();
        private final TreeMap<Long, RecordedInput> frames = new TreeMap<>();
        private List<Integer> before = List.of();

        Touching() {
            super(BODIES);
            note(0);
        }

        private List<Integer> touching() {
            List<Integer> touching = new ArrayList<>();
            for (int body = 0; body < BODIES; body++) {
                touching.add(height(body) > 0 ? 1 : 0);
            }
            return touching;
        }

        private int touches(int body, long tick) {
            return Objects.requireNonNull(touches.get(tick)).get(body);
        }

        private void note(long tick) {
            StateBuffer state = new StateBuffer();
            save(state);
            touches.put(tick, touching());
            states.put(tick, state.toBytes());
        }

        @Override
        public void step(Tick tick) {
            before = touching();
            super.step(tick);
            note(tick.number());
            RecordedInput frame = new RecordedInput();
            frame.copyFrom(tick.input());
            frames.put(tick.number(), frame);
        }

        @Override
        public void events(EventWriter events) {
            List<Integer> now = touching();
            for (int body = 0; body < BODIES; body++) {
                if (now.get(body) > before.get(body)) {
                    events.contactBegan(body, EventWriter.NO_SLOT, 0, 0, 0, 0, 1, 0);
                } else if (now.get(body) < before.get(body)) {
                    events.contactEnded(body, EventWriter.NO_SLOT);
                }
            }
        }
    }

    private static List<String> texts(InputFrame input) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            texts.add(text(event.code(), event.x()));
        }
        return texts;
    }

    private static String text(int code, float x) {
        return code == DragInput.HOLD ? "hold" : code == DragInput.END ? "end" : "push " + x;
    }

    private static final class Expected {

        /** The input by its offset in the tick. */
        private final TreeMap<Long, String> deeds = new TreeMap<>();

        private final List<Push> pushes = new ArrayList<>();
        private long fromNanos;

        private long published;
    }

    private static final class Run {

        private final SplittableRandom random;
        private final Touching world = new Touching();
        private final ManualClock clock = new ManualClock(0);
        private final InlineDriver driver;
        private final EventStream events;
        private final int[] contacts = new int[BODIES];
        private final TreeMap<Long, Expected> ticks = new TreeMap<>();

        private List<Push> coming = new ArrayList<>();
        private long last;
        private long published;
        private long oldest;
        private long firstLive = 1;
        private boolean endsDrag;
        private boolean pauses;
        private boolean isPaused;
        private boolean ranBetween;

        private boolean asked;

        private long decided;
        private @Nullable Reconciler reconciler;
        private final boolean rollsBack;

        private final StateHistory history;

        Run(
                long seed,
                boolean rollsBack,
                BiFunction<PhysicsServiceBuilder, StateHistory, PhysicsServiceBuilder> options) {
            random = new SplittableRandom(seed);
            this.rollsBack = rollsBack;
            StateHistory kept = StateHistory.ofTicks(KEPT).every((int) (1 + seed % 5));
            history = rollsBack ? kept.rollBack(LATE_TICKS) : kept;
            driver = options.apply(PhysicsService.builder(world).rate(RATE), history)
                    .inline(clock);
            events = driver.events(1 << 12);
            for (int body = 0; body < BODIES; body++) { // contacts of the first state are not delivered
                contacts[body] = world.touches(body, 0L);
            }
        }

        private void operate() {
            switch (random.nextInt(reconciler == null ? 11 : 13)) {
                case 0 -> command();
                case 1, 2 -> goBack();
                case 3 -> pauses = true;
                case 4, 5 -> late();
                case 6 -> idle();
                case 11, 12 -> correct(Objects.requireNonNull(reconciler));
                default -> tick();
            }
        }

        private void idle() {
            serve();
            ranBetween |= !coming.isEmpty();
        }

        /** Serves the waiting requests. In a pause, serving a request publishes a snapshot. */
        private void serve() {
            assertThat(driver.runDueTicks()).isZero();
            published += isPaused && asked ? 1 : 0;
            asked = false;
        }

        private void command() {
            Push push = new Push(random.nextInt(BODIES), random.nextInt(9) - 4);
            assertThat(driver.command(Push.TYPE, push)).isNotNull();
            coming.add(push);
            asked = true;
            if (random.nextBoolean()) {
                idle();
            }
        }

        /**
         * Offers late input for a tick that ran. Skips it if a command ran since the last tick: the input would wait for the next tick, and
         * a rewind would drop it.
         */
        private void late() {
            long first = Math.max(Math.max(firstLive, decided + 1), last - LATE_TICKS + 1);
            if (!rollsBack || first > last || ranBetween || (isPaused && !coming.isEmpty())) {
                return;
            }
            long number = random.nextLong(first, last + 1);
            Expected to = Objects.requireNonNull(ticks.get(number));
            if (published - to.published >= LATE_TICKS) {
                return;
            }
            long offsetNanos = random.nextLong(1, TICK_NANOS);
            float x = random.nextInt(20);
            if (to.deeds.containsKey(offsetNanos)) {
                return;
            }
            offer(to.fromNanos + offsetNanos, 1, x);
            to.deeds.put(offsetNanos, text(1, x));
            if (!isPaused && random.nextBoolean()) {
                serve(); // serves the late input before any later action
                ranBetween |= !coming.isEmpty();
            } else {
                tick();
            }
        }

        private void offer(long nanos, int code, float x) {
            if (code == DragInput.HOLD) {
                assertThat(DragInput.hold(driver.input(), nanos, BodyId.of(0, 1)))
                        .isTrue();
            } else {
                assertThat(driver.input().offer(nanos, InputKind.APPLICATION, code, x, 1))
                        .isTrue();
            }
        }

        /** Offers a correction in which the authority also pushed a body. Skips it if commands ran since the last tick. */
        private void correct(Reconciler from) {
            long first = Math.max(decided + 1, oldest);
            if (first > last || !coming.isEmpty() || ranBetween) {
                return;
            }
            decided = random.nextLong(first, last + 1);
            Touching authority = new Touching();
            authority.restore(new StateBuffer(Objects.requireNonNull(world.states.get(decided))));
            authority.push(random.nextInt(BODIES), 0, random.nextBoolean() ? 30 : -30, 0);
            StateBuffer state = new StateBuffer();
            authority.save(state);
            from.offer(decided, authority.hash(), state.toBytes());
            assertThat(driver.runDueTicks()).isZero();
            // Written last, because the correction may step that tick again, and so write another state.
            world.states.put(decided, state.toBytes());
            for (long tick = decided + 1; tick <= last; tick++) {
                world.pushes(tick).forEach(push -> authority.push(push.body(), 0, push.dvy(), 0));
                RecordedInput input = Objects.requireNonNull(world.frames.get(tick));
                authority.step(Tick.of(RATE, tick, 0, 0, input.frame(), false));
            }
            assertThat(world.hash()).as("corrected").isEqualTo(authority.hash());
        }

        private boolean isDragging(long tick) {
            boolean dragging = false;
            for (Expected got : ticks.headMap(tick, true).values()) {
                for (String deed : got.deeds.values()) {
                    dragging = deed.equals("hold") || (dragging && !deed.equals("end"));
                }
            }
            return dragging;
        }

        private void goBack() {
            serve(); // serves late input and commands first
            boolean keepsDecided = reconciler != null && decided <= last && random.nextInt(8) > 0;
            long to = random.nextLong(keepsDecided ? Math.max(oldest, decided) : oldest, last + 1);
            CompletableFuture<Rewound> went = history.rewind(to);
            asked = true;
            coming = new ArrayList<>();
            for (int body = 0; body < BODIES; body++) { // a rewind delivers no contacts
                contacts[body] += world.touches(body, to) - world.touches(body, last);
            }
            ticks.tailMap(to, false).clear();
            if (isDragging(to)) {
                endsDrag = true;
            }
            firstLive = Math.min(firstLive, to + 1);
            last = to;
            if (random.nextBoolean()) {
                command();
            }
            if (random.nextBoolean()) {
                idle();
            } else {
                tick();
            }
            assertThat(went).isCompleted();
        }

        private void tick() {
            if (isPaused) {
                if (random.nextInt(3) == 0) {
                    driver.step();
                } else {
                    driver.resume();
                    isPaused = false;
                }
                assertThat(driver.runDueTicks()).isZero();
            } else if (pauses) {
                driver.pause();
                isPaused = true;
            }
            pauses = false;
            last++;
            Expected now = new Expected();
            now.fromNanos = clock.nanoTime();
            offerNow(now);
            if (endsDrag) {
                now.deeds.put(0L, "end");
                endsDrag = false;
            }
            now.pushes.addAll(coming);
            coming = new ArrayList<>();
            published++;
            now.published = published;
            ticks.put(last, now);
            clock.advance(TICK_NANOS);
            assertThat(driver.runDueTicks()).isOne();
            ranBetween = false;
            asked = false;
            oldest = Math.max(oldest, last - KEPT);
            requireRightContacts();
        }

        private void offerNow(Expected now) {
            long offsetNanos = 0;
            for (int deeds = random.nextInt(3); deeds > 0; deeds--) {
                offsetNanos += random.nextLong(1, TICK_NANOS / 3);
                int kind = random.nextInt(8);
                int code = kind == 0 ? DragInput.HOLD : kind == 1 ? DragInput.END : 1;
                float x = code == 1 ? random.nextInt(20) : 0;
                offer(now.fromNanos + offsetNanos, code, x);
                now.deeds.put(offsetNanos, text(code, x));
            }
        }

        private void requireRightContacts() {
            events.drain(event -> {
                switch (event.kind()) {
                    case CONTACT_BEGAN, CONTACT_ENDED_RETRACTED -> contacts[BodyId.slot(event.body())]++;
                    case CONTACT_ENDED, CONTACT_BEGAN_RETRACTED -> contacts[BodyId.slot(event.body())]--;
                    default -> assertThat(event.missed()).isZero();
                }
            });
            for (int body = 0; body < BODIES; body++) {
                assertThat(contacts[body])
                        .as("contact of body %d after tick %d", body, last)
                        .isEqualTo(world.touches(body, last));
            }
        }

        private void requireRightTicks() {
            assertThat(world.last()).isEqualTo(last);
            ticks.forEach((number, expected) -> {
                assertThat(texts(
                                Objects.requireNonNull(world.frames.get(number)).frame()))
                        .as("input of tick %d", number)
                        .isEqualTo(List.copyOf(expected.deeds.values()));
                assertThat(world.pushes(number))
                        .as("commands of tick %d", number)
                        .containsExactlyInAnyOrderElementsOf(expected.pushes);
            });
            if (reconciler == null) {
                world.requireTheHashesOfARunWithoutRewinds();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeAsTheModelWhateverGoesBack(long seed) throws Exception {
        Path file = folder.resolve("run.esclog");
        RunDescription description = new RunDescription("masses", "1", "", 0, RATE);
        try (Recording recording = Recording.create(file, description)) {
            play(new Run(seed, true, (builder, history) -> builder.with(history).with(recording)));
            assertThat(recording.failure()).isEmpty();
        }
        assertThat(InputLog.open(file).repeat(Touching::new)).hasToString("ran through");
    }

    private static void play(Run run) {
        try (InlineDriver driver = run.driver) {
            for (int i = 0; i < OPERATIONS; i++) {
                run.operate();
                if (i % 10 == 0) {
                    run.tick();
                    run.requireRightTicks();
                }
            }
            assertThat(driver.stats().droppedLateInputs()).isZero();
        }
    }

    private static void playCorrected(long seed, boolean rollsBack) {
        List<Reconciled> told = new ArrayList<>();
        List<Reconciler> reconcilers = new ArrayList<>();
        Run run = new Run(seed, rollsBack, (builder, history) -> {
            reconcilers.add(new Reconciler(history, told::add));
            return builder.with(reconcilers.get(0));
        });
        run.reconciler = reconcilers.get(0);
        play(run);
        assertThat(told).isNotEmpty();
        assertThat(told).extracting(Reconciled::outcome).containsOnly(Reconciled.Outcome.CORRECTED);
    }

    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void shouldTellTheContactsOfTicksThatAnAuthorityCorrects(long seed) {
        playCorrected(seed, false);
    }

    @ParameterizedTest
    @MethodSource("fewerSeeds")
    void shouldTellTheContactsOfLateInputAfterCorrections(long seed) {
        playCorrected(seed, true);
    }
}
