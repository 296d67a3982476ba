package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.TickBenchmark.EmptyTick;
import dev.escapement.bench.jmh.TickBenchmark.JoltTick;
import dev.escapement.bench.jmh.TickBenchmark.SpringTick;
import dev.escapement.bench.jmh.TickBenchmark.Ticked;
import dev.escapement.bench.jmh.TickBenchmark.TickedBodies;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TickBenchmarkTest {

    static Stream<Ticked> all() {
        return Stream.of(new EmptyTick(), with(new SpringTick()), with(new JoltTick()));
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldRunOneTickPerInvocation(Ticked state) {
        state.start();
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(state.tick()).isEqualTo(1);
            }
        } finally {
            state.close();
        }
    }

    private static Ticked with(TickedBodies state) {
        state.bodies = 30;
        return state;
    }
}
