package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user holds keys and moves a pointer while a ring refuses events. In the end, the input of ticks must show the keys and the position of
 * the user.
 */
public abstract class RefusedOffersContract {

    public static final int CAPACITY = 16;

    private static final int KEYS = 3;
    private static final int STEPS = 2000;
    private static final int LAST_ROUNDS = 100;

    protected final NanoClock clock;
    protected final InputRing ring;
    private final InputSampler sampler;

    /** The keys that the last tick's input holds, and the pointer's last position. */
    protected List<Integer> held = List.of();

    protected String position = "";
    private String wantedPosition = "";
    private int moves;

    /** Tests a producer of a ring of {@value #CAPACITY} events. */
    protected RefusedOffersContract(InputRing ring, NanoClock clock) {
        this.ring = ring;
        this.clock = clock;
        sampler = new InputSampler(ring);
    }

    /** Presses a key, numbered from 0. This and {@link #move} return false if the user learns of a refusal. */
    protected abstract boolean press(int key);

    protected abstract void release(int key);

    protected abstract boolean move(float x, float y);

    /** Advances the clock by an eighth of a millisecond. */
    protected abstract void pass();

    /** Runs the producer's regular work without an event: a frame, a poll, a packet. */
    protected abstract void idle();

    protected void tick() {
        InputFrame frame = sampler.sample(clock.nanoTime(), clock.nanoTime());
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if (event.kind() == InputKind.POINTER_MOVED) {
                position = position(event.x(), event.y());
            }
        }
        List<Integer> down = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            if (frame.state().isKeyDown(key)) {
                down.add(key);
            }
        }
        held = down;
    }

    protected static String position(float x, float y) {
        return x + " " + y;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldHoldInTheEndWhatTheUserHolds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<Integer> wanted = new TreeSet<>();
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(8)) {
                case 0 -> tick();
                case 1 -> idle();
                case 2 -> fillUpTo(random.nextInt(CAPACITY + 1));
                case 3, 4 -> moveOn();
                default -> {
                    int key = random.nextInt(KEYS);
                    if (wanted.remove(key)) {
                        release(key);
                    } else if (press(key)) {
                        wanted.add(key);
                    }
                }
            }
            pass();
        }
        moveOn();
        assertEndsWith(List.copyOf(wanted));
    }

    private void moveOn() {
        moves++;
        if (move(moves, -moves)) {
            wantedPosition = position(moves, -moves);
        }
        pass();
    }

    private void assertEndsWith(List<Integer> wanted) {
        for (int i = 0; i < LAST_ROUNDS; i++) {
            tick();
            pass();
            idle();
        }
        tick();
        assertThat(held).isEqualTo(wanted);
        assertThat(position).isEqualTo(wantedPosition);
    }

    /** Offers events of another producer, which no later event replaces, until {@code events} events wait in the ring. */
    private void fillUpTo(int events) {
        while (ring.waiting() < events && ring.offer(clock.nanoTime(), InputKind.APPLICATION, 0, 0, 0)) {
            // offers until enough wait
        }
    }
}
