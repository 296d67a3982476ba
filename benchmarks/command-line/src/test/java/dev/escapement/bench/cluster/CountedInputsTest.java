package dev.escapement.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import dev.escapement.physics.restore.Restorable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CountedInputsTest {

    @ParameterizedTest
    @EnumSource(names = {"JOLT", "ODE4J"})
    void shouldBeRestorableOnlyWhereTheWorldIs(Engine engine) {
        try (CountedInputs around = new CountedInputs(engine.simulation(1))) {
            assertThat(around.capability(Restorable.class).isPresent()).isEqualTo(engine == Engine.JOLT);
        }
    }
}
