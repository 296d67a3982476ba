package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random events, ticks and pauses, checked against a list of waiting events. */
class InputModelTest {

    private static final int CAPACITY = 16;
    private static final List<InputKind> KINDS =
            Stream.of(InputKind.values()).filter(kind -> kind.hasCode(0)).toList();

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 50_000); // wraps during the test
    private final InputRing ring = new InputRing(CAPACITY, clock);
    private final InputSampler sampler = new InputSampler(ring);

    private record Offered(long nanos, InputKind kind, int code, float x, long sequence) {
        String at(long offsetNanos, boolean late) {
            return "#" + sequence + " " + kind + " " + code + " " + x + " at " + offsetNanos + (late ? " late" : "");
        }
    }

    private final List<Offered> waiting = new ArrayList<>();
    private final Map<String, Float> levels = new HashMap<>();
    private long offered;

    /** The number of events of the last tick, which occupy the ring until the next tick. */
    private int inFrame;

    private long dropped;
    private int waitForEndOfPause; // the events of the last pause
    private int refused;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldGiveEachTickWhatBelongsToIt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long previousNanos = clock.nanoTime() - 1000; // nothing is late before the first tick
        for (int tick = 0; tick < 5_000; tick++) {
            long fromNanos = clock.nanoTime();
            for (int i = random.nextInt(6); i > 0 && waiting.size() + inFrame < CAPACITY; i--) {
                offer(random, fromNanos + random.nextInt(-15, 40));
            }
            if (random.nextInt(5) == 0) {
                sampler.drainRing();
                assertThat(ring.waiting()).isZero();
                assertThat(sampler.pending()).isEqualTo(waiting.size());
            }
            clock.advance(10);
            long nowNanos = clock.nanoTime();
            List<Offered> due = takeUpTo(nowNanos);
            if (random.nextInt(4) == 0) {
                pause(nowNanos, due);
            } else {
                InputFrame frame = sampler.sample(fromNanos, nowNanos);
                assertThat(frame.lengthNanos()).isEqualTo(10);
                List<String> expected = new ArrayList<>();
                for (Offered event : due) {
                    boolean late = event.nanos - previousNanos <= 0;
                    expected.add(event.at(late ? 0 : Math.max(0, event.nanos - fromNanos), late));
                    apply(event);
                }
                assertThat(texts(frame)).isEqualTo(expected);
                inFrame = frame.size();
                waitForEndOfPause = 0;
                assertLevels(frame.state());
            }
            previousNanos = nowNanos;
            assertThat(sampler.pending()).isEqualTo(waiting.size());
        }
        assertThat(ring.rejected()).isEqualTo(refused);
        assertThat(dropped).isPositive();
    }

    private void offer(SplittableRandom random, long nanos) {
        InputKind kind = KINDS.get(random.nextInt(KINDS.size()));
        int largest = IntStream.of(1023, 511, 255, 63)
                .filter(kind::hasCode)
                .findFirst()
                .orElseThrow();
        int code = random.nextInt(3) == 0 ? largest : random.nextInt(2);
        Offered event = new Offered(nanos, kind, code, random.nextInt(3), offered++);
        boolean isRefused = kind == InputKind.APPLICATION && waitForEndOfPause >= CAPACITY / 4;
        assertThat(ring.offer(nanos, kind, event.code, event.x, 0)).isEqualTo(!isRefused);
        if (isRefused) {
            refused++;
            offered--;
        } else {
            waiting.add(event);
        }
    }

    private List<Offered> takeUpTo(long nanos) {
        List<Offered> due = new ArrayList<>(waiting);
        due.removeIf(event -> event.nanos - nanos > 0);
        waiting.removeAll(due);
        due.sort(Comparator.<Offered>comparingLong(event -> event.nanos - nanos).thenComparingLong(Offered::sequence));
        return due;
    }

    private void pause(long nowNanos, List<Offered> due) {
        sampler.drainWhilePaused(nowNanos, true, null);
        waitForEndOfPause = 0;
        for (Offered event : due) {
            apply(event);
            if (event.kind == InputKind.APPLICATION) {
                waitForEndOfPause++;
                waiting.add(event);
            } else {
                dropped++;
            }
        }
        assertThat(ring.droppedWhilePaused()).isEqualTo(dropped);
    }

    private void apply(Offered event) {
        String kind = event.kind.name();
        if (kind.endsWith("_DOWN") || kind.endsWith("_UP")) {
            levels.put(kind.substring(0, kind.indexOf('_')) + event.code, kind.endsWith("_DOWN") ? 1f : 0f);
        } else if (event.kind == InputKind.AXIS_MOVED) {
            levels.put("AXIS" + event.code, event.x);
        }
    }

    private void assertLevels(InputState state) {
        for (int code : new int[] {0, 1, 63, InputState.AXES - 1, InputState.KEYS - 1, InputState.BUTTONS - 1}) {
            assertThat(state.isButtonDown(code)).isEqualTo(isHeld("BUTTON" + code));
            assertThat(code < InputState.KEYS && state.isKeyDown(code)).isEqualTo(isHeld("KEY" + code));
            assertThat(code < 64 && state.isPointerDown(code)).isEqualTo(isHeld("POINTER" + code));
            assertThat(code < InputState.AXES ? state.axis(code) : 0).isEqualTo(levels.getOrDefault("AXIS" + code, 0f));
        }
    }

    private boolean isHeld(String level) {
        return levels.getOrDefault(level, 0f) == 1;
    }

    private static List<String> texts(InputFrame frame) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent e = frame.event(i);
            Offered event = new Offered(e.timeNanos(), e.kind(), e.code(), e.x(), e.sequence());
            texts.add(event.at(e.offsetNanos(), e.isLate()));
        }
        return texts;
    }
}
