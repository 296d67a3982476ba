package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.TempAllocatorImpl;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.TempAllocatorMalloc;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.ChildJvm;
import dev.escapement.state.Logged;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoltLimitsTest {

    private final ManualClock clock = new ManualClock(0);
    private final JoltGameWorld game = new JoltGameWorld();

    @AfterEach
    void close() {
        game.close();
    }

    private int tick(InlineDriver driver, TickRate rate, int ticks) {
        clock.advance(rate.nanosAt(ticks));
        return driver.runDueTicks(Integer.MAX_VALUE);
    }

    /** Concurrent steps of two threads with one allocator would end the process. */
    @Test
    void shouldRefuseTheAllocatorOfAnotherSimulation() {
        try (JoltGameWorld other = new JoltGameWorld();
                TempAllocatorImplWithMallocFallback shared = new TempAllocatorImplWithMallocFallback(1 << 20)) {
            JoltWorldSimulation first = game.simulateWith(shared);
            assertThatIllegalStateException()
                    .isThrownBy(() -> other.simulateWith(shared))
                    .withMessageContaining("another simulation has TempAllocator")
                    .withMessageContaining("make one for each simulation");
            first.close();
            other.simulateWith(shared).close();
            try (TempAllocatorMalloc malloc = new TempAllocatorMalloc();
                    JoltWorldSimulation second = game.simulateWith(malloc);
                    JoltWorldSimulation third = other.simulateWith(malloc)) {
                assertThat(second.world()).isNotSameAs(third.world());
            }
        }
    }

    /** Runs a world with more contacts than its maximum, and as many bytes of temporary memory as the argument says. */
    static final class FullWorld {

        public static void main(String[] bytes) {
            JoltLimitsTest test = new JoltLimitsTest();
            test.addPit();
            TempAllocatorImpl allocator = new TempAllocatorImpl(Integer.parseInt(bytes[0]));
            try (InlineDriver driver =
                    PhysicsService.builder(test.game.simulateWith(allocator)).inline(test.clock)) {
                test.tick(driver, driver.rate(), 100);
            }
        }
    }

    /** Runs the world in a process of its own, with the memory that its constructor asks for, and with half of it for contacts alone. */
    @ParameterizedTest
    @CsvSource({"1048576, 1280, 0", "0, 640, 134"})
    void shouldEndTheProcessIfTheAllocatorIsTooSmall(int bytes, int bytesAContact, int exitCode) throws Exception {
        String all = String.valueOf(bytes + bytesAContact * JoltGameWorld.MAX_CONTACTS);
        Process process = ChildJvm.start("--enable-native-access=ALL-UNNAMED", FullWorld.class, all);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
    }

    private void addPit() {
        for (int box = 0; box < 300; box++) { // rows that fall on each other, as in a pit
            game.addBox(box % 30 - 15, 0.6 + 1.1 * Math.floorDiv(box, 30));
        }
    }

    @Test
    void shouldGoOnAndSayOnceWhichBufferIsFull() {
        addPit();
        JoltWorldSimulation simulation = game.simulateWithoutContacts();
        try (Logged logged = new Logged("physics");
                InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            assertThat(tick(driver, driver.rate(), 100)).isEqualTo(100);
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains(
                            "of 301 bodies",
                            "Double maxBodyPairs and maxContactConstraints of",
                            "as ticks-with-dropped-contacts");
            assertThat(driver.stats().counts().get("ticks-with-dropped-contacts"))
                    .isBetween(2L, 100L);
            assertThat(driver.stats().counts()).containsKey("detected-teleports");
        }
    }

    @ParameterizedTest
    @CsvSource({"15, 4, true", "15, 1, false"})
    void shouldStandWithEnoughCollisionSteps(int hertz, int steps, boolean stands) {
        TickRate rate = TickRate.hertz(hertz);
        Body top = game.addBox(0, 9.5);
        for (int box = 0; box < 9; box++) {
            game.addBox(0, 0.5 + box);
        }
        JoltWorldSimulation simulation = game.simulateWithoutContacts();
        simulation.collisionSteps(steps);
        try (InlineDriver driver = PhysicsService.builder(simulation).rate(rate).inline(clock)) {
            tick(driver, rate, 20 * hertz);
            assertThat(game.pose(top)[1] > 9).isEqualTo(stands);
        }
    }

    @Test
    void shouldKeepTheCollisionStepsOfARun() {
        JoltWorldSimulation simulation = game.simulateWithoutContacts();
        for (int steps : new int[] {0, 17}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> simulation.collisionSteps(steps))
                    .withMessageContaining("1 to 16")
                    .withMessageContaining(" " + steps + ";");
        }
        assertThat(simulation.settings()).isEmpty();
        simulation.collisionSteps(2);
        assertThat(simulation.settings()).as("which a log names").isEqualTo("collisionSteps(2)");
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            CompletableFuture<?> late = driver.execute(tick -> simulation.collisionSteps(4));
            tick(driver, driver.rate(), 1);
            assertThatThrownBy(late::join) // refused, because a log begins before the first step
                    .hasMessageContaining("this one 2, and not 4");
            assertThatIllegalStateException()
                    .isThrownBy(() -> simulation.collisionSteps(3))
                    .withMessageContaining("this one 2, and not 3");
        }
    }
}
