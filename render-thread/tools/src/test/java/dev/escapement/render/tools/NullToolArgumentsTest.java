package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.world.ReceivedWorld;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A null argument is the caller's error: it is thrown to the caller, with the argument's name. */
@NullUnmarked
class NullToolArgumentsTest {

    private static final SnapshotReceiver RECEIVED = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> 0);

    static Stream<Arguments> calls() {
        return Stream.of(
                call("window", () -> new History(1, 1).add((Window) null)),
                call("snapshot", () -> new History(1, 1).add((Snapshot) null)),
                call("into", () -> new History(1, 1).read(1, null)),
                call("clock", () -> RemoteView.open(null, RECEIVED, receiver -> () -> {})),
                call("receiver", () -> RemoteView.open(() -> 0, (ReceivedWorld) null, receiver -> () -> {})),
                call("connect", () -> RemoteView.open(() -> 0, RECEIVED, null)));
    }

    private static Arguments call(String parameter, Runnable call) {
        return Arguments.of(parameter, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void shouldNameWhatIsMissing(String parameter, Runnable call) {
        assertThatNullPointerException().isThrownBy(call::run).withMessageContaining(parameter);
    }
}
