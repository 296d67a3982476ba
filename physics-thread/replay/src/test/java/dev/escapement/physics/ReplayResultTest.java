package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.replay.log.MemorySource;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayResultTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "30", 4, TickRate.hertz(100));

    @Test
    void shouldNameCommandsBeforeATickWithoutHash() throws IOException {
        ReplayResult different = repeatOther(new LogHeader(RUN, List.of()), "Local");
        assertThat(different.divergence().orElseThrow().cause()).isEqualTo("tick 1 used what no log can repeat: Local");
    }

    @Test
    void shouldNameTheOtherProcessorWhoseSinesDiffer() throws IOException {
        String here = System.getProperty("os.arch");
        LogHeader other = new LogHeader(RUN, List.of(), "", null, "other");
        assertThat(repeatOther(other, "").text())
                .endsWith("; the log is of other and this is " + here
                        + ", where Math.sin, cos and tan may give other bits; record and replay with"
                        + " -XX:+UnlockDiagnosticVMOptions -XX:DisableIntrinsic=_dsin,_dcos,_dtan");
        LogHeader same = new LogHeader(RUN, List.of());
        assertThat(repeatOther(same, "").divergence().orElseThrow().cause()).isEmpty();
    }

    /** Repeats a log whose first tick led to another state. */
    private static ReplayResult repeatOther(LogHeader header, String local) throws IOException {
        RecordedInput input = new RecordedInput();
        input.begin(RUN.rate().nanosAt(1));
        TickEncoder ticks = new TickEncoder(List.of(), 1 << 10);
        ticks.buffer().put(header.encode());
        if (!local.isEmpty()) {
            ticks.putLocal(local);
        }
        ticks.putBegun(Tick.of(RUN.rate(), 1, 0, 0, input.frame(), false));
        ticks.putBegun(Tick.of(RUN.rate(), 2, 0, 0, input.frame(), false));
        ticks.putHash(7, "");
        byte[] log = new byte[ticks.buffer().flip().remaining()];
        ticks.buffer().get(log);
        return MemorySource.log(log).repeat(() -> new PushedMasses(30));
    }
}
