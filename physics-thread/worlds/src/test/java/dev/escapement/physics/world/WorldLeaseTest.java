package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that a thread that died while it ticked, for example of an OutOfMemoryError, does not keep the world. */
class WorldLeaseTest {

    private final WorldLease world = WorldLease.take(this, null);

    @Test
    void shouldBeFreeWhenTheThreadThatTickedHasDied() throws InterruptedException {
        Thread ticking = new Thread(() -> {
            world.enter();
            world.beginStep();
        });
        ticking.start();
        ticking.join();
        assertThatCode(() -> world.requireAccess()).doesNotThrowAnyException();
        assertThatCode(() -> world.requireOwnStep()).doesNotThrowAnyException();
        world.enter();
    }

    @Test
    void shouldBelongToTheThreadThatTicksWhileItLives() {
        world.enter();
        CompletableFuture.runAsync(() -> {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> world.requireAccess())
                            .withMessageContaining("wants to");
                    assertThatIllegalStateException()
                            .isThrownBy(() -> world.requireOwnStep())
                            .withMessageContaining("leave that to the service");
                    assertThatIllegalStateException()
                            .isThrownBy(() -> world.close(() -> {}))
                            .withMessageContaining("wants to close its simulation");
                    assertThatIllegalStateException()
                            .isThrownBy(() -> world.enter())
                            .withMessageContaining("another thread ticks it")
                            .withMessageContaining("a simulation and a world of its own");
                })
                .join();
        world.requireAccess();
    }
}
