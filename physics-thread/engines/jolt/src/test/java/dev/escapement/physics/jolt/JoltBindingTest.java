package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.state.Logged;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.Test;

class JoltBindingTest {

    @Test
    void shouldLogOneLineAboutAVersionThatIsNotKnown() {
        try (Logged logged = new Logged("physics")) {
            JoltBinding.KNOWN_VERSIONS.forEach(JoltBinding::reportUnknown);
            assertThat(logged.records).isEmpty();
            JoltBinding.reportUnknown("7.1.0");
            assertThat(logged.records)
                    .extracting(line -> line.getLevel() + ": " + line.getMessage())
                    .containsExactly("WARNING: jolt-jni 7.1.0 is not known here, and may lack what is called;"
                            + " known are 0.9.9 to 6.0.0");
        }
    }

    @Test
    void shouldNameTheVersionThatLacksACallInOneLine() {
        JoltNatives.load();
        assertThatIllegalStateException()
                .isThrownBy(() -> JoltBinding.called(
                        "PhysicsSystem.getAnything",
                        () -> PhysicsSystem.class.getMethod("getAnything").invoke(this)))
                .withMessage("jolt-jni " + Jolt.versionString()
                        + " has no PhysicsSystem.getAnything as it is called here; use one of 0.9.9 to 6.0.0");
    }

    @Test
    void shouldPassOnWhatTheBindingThrows() {
        JoltNatives.load();
        Error error = new AssertionError("the binding's");
        assertThatThrownBy(() -> JoltBinding.called("any", () -> {
                    throw new InvocationTargetException(error);
                }))
                .isSameAs(error);
        RuntimeException thrown = new IllegalArgumentException("the binding's");
        assertThatIllegalStateException()
                .isThrownBy(() -> JoltBinding.called("any", () -> {
                    throw new InvocationTargetException(thrown);
                }))
                .withCause(thrown);
    }

    @Test
    void shouldSayWhatLoadsTheNativeLibrary() {
        UnsatisfiedLinkError missing = new UnsatisfiedLinkError("long MapObj2Bp.createMapObj2Bp(int, int)");
        assertThatIllegalStateException()
                .isThrownBy(() -> JoltBinding.called("any", () -> {
                    throw new InvocationTargetException(missing);
                }))
                .withMessageContaining("call JoltNatives.load() before you make the first object of Jolt")
                .withCause(missing);
    }
}
