package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadPolicyTest {

    private static final TickRate RATE = TickRate.hertz(2000);

    private final ThreadGrants refused =
            ThreadGrants.of(List.of(new Grant("priority 10", Outcome.REFUSED, "ask the administrator")));

    @Test
    void shouldBeAppliedByThePhysicsThreadBeforeTheFirstTick() throws Exception {
        AtomicReference<Thread> appliedBy = new AtomicReference<>();
        CompletableFuture<Thread> atFirstTick = new CompletableFuture<>();
        ThreadPolicy policy = periodNanos -> {
            assertThat(periodNanos).isEqualTo(RATE.nanosAt(1));
            appliedBy.set(Thread.currentThread());
            return refused;
        };
        Simulation simulation = new ScriptedSimulation(tick -> atFirstTick.complete(appliedBy.get()));
        PhysicsService service = builder(simulation, policy).start();
        try (service) {
            assertThat(service.stats().threadGrants()).isSameAs(refused);
            assertThat(Await.get(atFirstTick).getName()).isEqualTo("escapement-physics");
        }
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** A policy is user code. */
    @Test
    void shouldFailTheServiceIfThePolicyThrows() throws Exception {
        assertFailsTheService(
                periodNanos -> {
                    throw new UnsupportedOperationException("of this policy");
                },
                "of this policy");
        assertFailsTheService(
                periodNanos -> {
                    throw new StackOverflowError("of the JVM");
                },
                "of the JVM");
    }

    @Test
    void shouldFailTheServiceIfThePolicyReturnsNull() throws Exception {
        ThreadPolicy policy = new ThreadPolicy() {
            @Override
            @SuppressWarnings("NullAway") // which not each user has
            public ThreadGrants apply(long periodNanos) {
                return null;
            }
        };
        assertFailsTheService(
                policy,
                "the thread policy " + policy.getClass().getName()
                        + " returned null; return what was granted, or ThreadGrants.none()");
    }

    private static void assertFailsTheService(ThreadPolicy policy, String sentence) throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> begun.set(true)) {
            @Override
            public void begin() {
                begun.set(true);
            }
        };
        PhysicsService service = builder(simulation, policy).start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure().orElseThrow()).hasMessage(sentence);
        assertThat(simulation.closed.getCount()).isZero();
        assertThat(begun).isFalse();
    }

    @Test
    void shouldNotBeAppliedToCloseAServiceThatWasNeverStarted() {
        AtomicBoolean applied = new AtomicBoolean();
        PhysicsService service = builder(ScriptedSimulation.good(), periodNanos -> {
                    applied.set(true);
                    return refused;
                })
                .build();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(applied).isFalse();
    }

    /** With real-time priority it would otherwise keep its core for ever. */
    @Test
    void shouldBeWithdrawnFromAThreadThatHangs() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch withdrawn = new CountDownLatch(1);
        ThreadGrants grants = new ThreadGrants(List.of(), Long.MAX_VALUE, null, withdrawn::countDown);
        Simulation hangs = new ScriptedSimulation(tick -> Await.open(letGo));
        PhysicsService service =
                builder(hangs, periodNanos -> grants).watchdog(80).start();
        withdrawn.await();
        Await.state(service, ServiceState.FAILED);
        letGo.countDown();
        service.close();
    }

    private static PhysicsServiceBuilder builder(Simulation simulation, ThreadPolicy policy) {
        return PhysicsService.builder(simulation)
                .rate(RATE)
                .onFailure(failure -> {})
                .threadPolicy(policy);
    }
}
