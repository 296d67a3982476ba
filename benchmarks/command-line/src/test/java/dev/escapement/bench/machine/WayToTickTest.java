package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads and processes for a second each; how late they are is not checked. */
class WayToTickTest {

    @ParameterizedTest
    @EnumSource
    void shouldTick(WayToTick way) throws Exception {
        assumeThat(WayToTick.available()).contains(way);
        List<GivenUpTicks> told = new ArrayList<>();
        Summary micros = way.tickFor(TickRate.hertz(100), 1, told::add);

        assertThat(micros.p50()).isLessThanOrEqualTo(micros.p99());
        assertThat(micros.p99()).isLessThanOrEqualTo(micros.max());
        assertThat(micros.max()).isPositive();
        assertThat(told).as("of a service").hasSize(way == WayToTick.ESCAPEMENT ? 1 : 0);
    }
}
