package dev.escapement.platform.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.platform.linux.SystemCalls.Call;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the requests to a kernel, and the reports of its answers. */
class LinuxThreadPolicyTest {

    private static final long PERIOD_NANOS = 10_000_000;

    private final FakeKernel kernel = new FakeKernel();
    private final LinuxThreadPolicy usual = asking(1, 10, 100_000);

    private LinuxThreadPolicy asking(long slackNanos, int priority, long sliceNanos) {
        return new LinuxThreadPolicy(kernel, slackNanos, priority, sliceNanos);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shouldRefuseAVirtualThread() throws Exception {
        CompletableFuture<String> said = new CompletableFuture<>();
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)
                () -> said.complete(usual.apply(PERIOD_NANOS).toString()));
        assertThat(said.get())
                .isEqualTo(
                        "thread policy refused (a virtual thread shares a thread of the system with others; apply the"
                                + " policy on a platform thread)");
        assertThat(kernel.slackNanos).isEqualTo(50_000);
    }

    @Test
    void shouldPreferRealTimePriority() {
        kernel.hasCapabilities = true;
        ThreadGrants grants = usual.apply(PERIOD_NANOS);
        assertThat(grants).hasToString("timer slack 1 ns granted, real-time priority 10 granted");
        assertThat(grants.allGranted()).isTrue();
        assertThat(grants.maxSpinNanos()).isEqualTo(60_000);
        assertThat(grants.preemption()).isNull();
        assertThat(kernel.policy).isEqualTo(SchedAttributes.FIFO);
        assertThat(kernel.priority).isEqualTo(10);
        assertThat(kernel.flags).as("threads that it starts are ordinary").isEqualTo(1);
    }

    @Test
    void shouldRequestASliceWithoutPrivilege() {
        ThreadGrants grants = usual.apply(PERIOD_NANOS);
        assertThat(grants)
                .hasToString(
                        "timer slack 1 ns granted, real-time priority 10 refused (sudo prlimit --pid $$ --rtprio=10 in the"
                                + " shell that then starts Java; with Docker --cap-add=SYS_NICE; if neither helps, a seccomp filter or a"
                                + " cgroup without real-time time forbids it), time slice 100 us granted");
        assertThat(kernel.slackNanos).isEqualTo(1);
        assertThat(kernel.sliceNanos).isEqualTo(100_000);
        assertThat(grants.maxSpinNanos()).isEqualTo(60_000);
        assertThat(grants.preemption()).isNotNull();
    }

    @Test
    void shouldSpinNoLongerThanTheSlice() {
        assertThat(asking(0, 0, 100_000).apply(PERIOD_NANOS).maxSpinNanos()).isEqualTo(100_000);
        assertThat(asking(50_000, 0, 0).apply(PERIOD_NANOS).maxSpinNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** A thread that waits for its core must not take it from others; its slice and nice value stay. */
    @Test
    void shouldForbidAndAllowPreemptionAndKeepTheRest() {
        kernel.nice = -5;
        WakeupPreemption preemption =
                Objects.requireNonNull(asking(0, 0, 100_000).apply(PERIOD_NANOS).preemption());
        for (int wait = 0; wait < 2; wait++) {
            preemption.allow(false);
            assertThat(kernel.policy).isEqualTo(SchedAttributes.BATCH);
            preemption.allow(true);
            assertThat(kernel.policy).isEqualTo(SchedAttributes.OTHER);
            assertThat(kernel.nice).isEqualTo(-5);
            assertThat(kernel.sliceNanos).isEqualTo(100_000);
            assertThat(kernel.flags).as("threads that it starts are ordinary").isEqualTo(1);
        }
        assertThat(kernel.changed).containsExactly(0L);
    }

    /** The kernel's clock ticks so rarely that a queueing thread would get the core too late, so a slice is refused. */
    @Test
    void shouldNotSetASliceWithASlowKernelClock() {
        kernel.clockTickNanos = 10_000_000;
        ThreadGrants grants = asking(0, 0, 100_000).apply(PERIOD_NANOS);
        assertThat(grants)
                .hasToString("time slice 100 us refused (it helps only if the kernel's clock ticks every 4 ms or more"
                        + " often, not every 10 ms)");
        assertThat(grants.preemption()).isNull();
        assertThat(kernel.changed).isEmpty();
        kernel.errors.put(Call.CLOCK_GETRES, SystemCalls.ENOSYS);
        assertThat(asking(0, 0, 100_000).apply(PERIOD_NANOS)).hasToString("time slice 100 us granted");
    }

    /** A slice without queueing for the core makes the end of the work late. A short or unknown period leaves no time to queue. */
    @Test
    void shouldNotSetASliceWithoutTimeToQueue() {
        for (long periodNanos : new long[] {0, 5_000_000}) {
            ThreadGrants grants = asking(0, 0, 100_000).apply(periodNanos);
            assertThat(grants)
                    .hasToString("time slice 100 us refused (it helps only a thread that waits for longer than 5 ms"
                            + " between its work)");
            assertThat(grants.preemption()).isNull();
            assertThat(kernel.changed).isEmpty();
        }
    }

    @Test
    void shouldReadBackWhatAnOldKernelIgnores() {
        kernel.hasSlices = false;
        kernel.hasSlack = false;
        ThreadGrants grants = asking(1, 0, 100_000).apply(PERIOD_NANOS);
        assertThat(grants)
                .hasToString(
                        "timer slack 1 ns refused (it is still 50000 ns), time slice 100 us not known here (Linux has"
                                + " it from 6.12 on)");
        assertThat(grants.maxSpinNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(grants.preemption()).isNull();
    }

    @Test
    void shouldKeepThePriorityThatTheThreadHas() {
        kernel.policy = 2; // round-robin
        kernel.priority = 42;
        assertThat(asking(0, 10, 100_000).apply(PERIOD_NANOS)).hasToString("real-time priority 42 granted (as it was)");
        assertThat(kernel.policy).isEqualTo(2);
    }

    /** A system-call filter answers that the call does not exist, or that it is forbidden. The report must say which. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"PRCTL", "SCHED_GETATTR"})
    void shouldRunAsBeforeUnderAFilter(Call filtered) {
        kernel.hasCapabilities = true;
        kernel.errors.put(filtered, SystemCalls.EPERM);
        assertThat(usual.apply(PERIOD_NANOS).toString()).contains("refused (a seccomp filter forbids it");
        kernel.errors.put(filtered, SystemCalls.ENOSYS);
        assertThat(usual.apply(PERIOD_NANOS).toString())
                .contains("not known here (this kernel has no such call, or a seccomp filter hides it)");
    }

    /** The container has one core, on a machine whose administrator has removed the limit of real-time threads. */
    @Test
    void shouldNotRiskTheOnlyCoreWithoutALimit() {
        kernel.hasCapabilities = true;
        kernel.cores = 1;
        kernel.files.put("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
        assertThat(asking(0, 10, 0).apply(PERIOD_NANOS).toString())
                .startsWith("real-time priority 10 refused (nothing would stop a thread that hangs on the only core;");
        assertThat(kernel.policy).isEqualTo(SchedAttributes.OTHER);
        kernel.files.put("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
        assertThat(asking(0, 10, 0).apply(PERIOD_NANOS)).hasToString("real-time priority 10 granted");
    }

    @Test
    void shouldMakeALiveHangingThreadAnOrdinaryOne() {
        kernel.hasCapabilities = true;
        ThreadGrants grants = usual.apply(PERIOD_NANOS);
        String alive = kernel.files.remove("/proc/self/task/" + FakeKernel.THREAD + "/comm");
        grants.withdrawal().run();
        assertThat(kernel.policy).as("another thread may have the number").isEqualTo(SchedAttributes.FIFO);
        kernel.files.put("/proc/self/task/" + FakeKernel.THREAD + "/comm", alive);
        kernel.changed.clear();
        grants.withdrawal().run();
        assertThat(kernel.policy).isEqualTo(SchedAttributes.OTHER);
        assertThat(kernel.changed).as("not the thread that withdraws").containsExactly(FakeKernel.THREAD);
    }

    /** JNA has no native library, for example with musl, or the processor is unknown. */
    @Test
    void shouldSayWhyNoCallCanBeMade() {
        kernel.obstacle = SystemCalls.notLoaded(new UnsatisfiedLinkError("libc.so.6 is missing"));
        assertThat(usual.apply(PERIOD_NANOS))
                .hasToString("thread policy not known here (JNA cannot load its native library, see jna.tmpdir of JNA;"
                        + " with musl: apk add gcompat; libc.so.6 is missing)");
        assertThat(kernel.slackNanos).isEqualTo(50_000);
    }

    @Test
    void shouldKnowTheNumbersOfBothProcessors() {
        assertThat(Call.SCHED_SETATTR.number("amd64")).isEqualTo(314);
        assertThat(Call.SCHED_SETATTR.number("aarch64")).isEqualTo(274);
        assertThat(Call.SCHED_SETATTR.number("riscv64")).isNegative();
    }

    /** Asks the running kernel, which may refuse the settings. Granted settings end with the thread of this test. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldAskTheRealKernel() throws Exception {
        SystemCalls calls = SystemCalls.OF_THIS_PROCESS;
        FutureTask<String> asked = new FutureTask<>(() -> {
            ThreadGrants grants = new LinuxThreadPolicy(calls, 7_000, 0, 300_000).apply(PERIOD_NANOS);
            long slack = calls.call(Call.PRCTL, CallingThread.PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L);
            WakeupPreemption preemption = grants.preemption();
            if (preemption == null) {
                return grants + ": " + slack;
            }
            SchedAttributes attributes = new SchedAttributes(calls, 0);
            preemption.allow(false);
            attributes.read();
            String forbidden = attributes.policy() + " " + attributes.sliceNanos();
            preemption.allow(true);
            attributes.read();
            return grants + ": " + slack + ", " + forbidden + ", " + attributes.policy() + " "
                    + attributes.sliceNanos();
        });
        new Thread(asked, "policy-test").start();
        assertThat(asked.get())
                .containsPattern("timer slack 7000 ns (refused|not known here)|timer slack 7000 ns granted.*: 7000")
                .containsPattern("time slice 300 us (refused|not known here)|, 3 300000, 0 300000$");
    }
}
