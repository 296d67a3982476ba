package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A thread that died while it ticked, in an error of the virtual machine say, does not keep the world. */
class WorldThreadTest {

    private final WorldThread world = new WorldThread();

    @Test
    void shouldBeFreeWhenTheThreadThatTickedHasDied() throws InterruptedException {
        Thread ticking = new Thread(() -> {
            world.enter(this);
            world.beginStep();
        });
        ticking.start();
        ticking.join();
        assertThatCode(() -> world.require(this)).doesNotThrowAnyException();
        assertThatCode(() -> world.requireOwnStep(this)).doesNotThrowAnyException();
        assertThatCode(() -> world.requireToClose(this)).doesNotThrowAnyException();
        world.enter(this);
    }

    @Test
    void shouldBelongToTheThreadThatTicksWhileItLives() {
        world.enter(this);
        CompletableFuture.runAsync(() -> {
                    assertThatIllegalStateException().isThrownBy(() -> world.require(this));
                    assertThatIllegalStateException().isThrownBy(() -> world.requireOwnStep(this));
                    assertThatIllegalStateException().isThrownBy(() -> world.requireToClose(this));
                    assertThatIllegalStateException().isThrownBy(() -> world.enter(this));
                })
                .join();
        world.require(this);
    }
}
