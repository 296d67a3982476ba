package dev.escapement.platform.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.platform.linux.SystemCalls.Call;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the calls on the running kernel, which may refuse them. Each test uses a thread that then ends. */
@EnabledOnOs(OS.LINUX)
class RealKernelTest {

    private static final SystemCalls CALLS = SystemCalls.OF_THIS_PROCESS;

    @Test
    void shouldSetTheSlackThatTheKernelShows() throws Exception {
        String shown = onAThread(() -> {
            ThreadGrants grants = new LinuxThreadPolicy(CALLS, 7_000, 0, 0).apply(0);
            long slack = CALLS.call(Call.PRCTL, CallingThread.PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L);
            return grants + ": " + slack;
        });
        assertThat(shown).matches("timer slack 7000 ns granted: 7000|timer slack 7000 ns (refused|not known here).*");
    }

    /** Without this call, a thread that queues for its core would take it from others. */
    @Test
    void shouldForbidPreemptionOnTheRealKernel() throws Exception {
        onAThread(() -> {
            ThreadGrants grants = new LinuxThreadPolicy(CALLS, 0, 0, 300_000).apply(10_000_000);
            assumeThat(grants.allGranted()).as("the slice").isTrue();
            WakeupPreemption preemption = Objects.requireNonNull(grants.preemption());
            SchedAttributes attributes = new SchedAttributes(CALLS, 0);
            preemption.allow(false);
            attributes.read();
            assertThat(attributes.policy()).isEqualTo(SchedAttributes.BATCH);
            assertThat(attributes.sliceNanos()).isEqualTo(300_000);
            preemption.allow(true);
            attributes.read();
            assertThat(attributes.policy()).isEqualTo(SchedAttributes.OTHER);
            assertThat(attributes.sliceNanos()).isEqualTo(300_000);
            return "";
        });
    }

    private static <T> T onAThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "policy-test").start();
        return task.get();
    }
}
