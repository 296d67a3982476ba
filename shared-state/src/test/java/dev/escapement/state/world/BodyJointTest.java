package dev.escapement.state.world;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint.End;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyJointTest {

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void shouldRefuseAnAnchorThatIsNotFinite(double nowhere) {
        long body = BodyId.of(17, 3);
        String rest = "; leave the joint out if there is no such anchor";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new End(body, nowhere, 1, 2))
                .withMessage("the anchor of a joint must be finite, but that at body 17#3 is (" + nowhere
                        + ", 1.0, 2.0)" + rest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new End(body, 1, nowhere, 2))
                .withMessageContaining("(1.0, " + nowhere + ", 2.0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new End(End.WORLD, 1, 2, nowhere))
                .withMessage("the anchor of a joint must be finite, but that at the world is (1.0, 2.0, " + nowhere
                        + ")" + rest);
    }
}
