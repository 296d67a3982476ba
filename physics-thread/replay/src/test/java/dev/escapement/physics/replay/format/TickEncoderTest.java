package dev.escapement.physics.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a saved state ends. */
class TickEncoderTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "1", 0, TickRate.hertz(100));

    /** Of bodies that rest, too: a part may be the first of a file. */
    @Test
    void shouldNeedNothingOfWhatCameBeforeASavedState() throws IOException {
        LogHeader header = new LogHeader(RUN, List.of("x"), List.of(), false);
        BodyDigests resting = header.newDigests();
        resting.resize(200);
        TickEncoder encoder = new TickEncoder(resting, List.of(), 1 << 16);
        InputFrame input = new RecordedInput().frame();
        encoder.putBegun(Tick.of(RUN.rate(), 7, 0, 0, input, false));
        encoder.putAfter(1, resting);
        int from = encoder.buffer().position();
        encoder.put(new SavedState(7, 2, SavedState.Kind.SAVED), new StateBuffer());
        encoder.putAfter(1, resting);
        BodyDigests alone = header.newDigests();
        alone.resize(200);
        TickEncoder fresh = new TickEncoder(alone, List.of(), 1 << 16);
        fresh.put(new SavedState(7, 2, SavedState.Kind.SAVED), new StateBuffer());
        fresh.putAfter(1, alone);
        ByteBuffer all = encoder.buffer().flip().position(from);
        assertThat(all).isEqualTo(fresh.buffer().flip());
    }
}
