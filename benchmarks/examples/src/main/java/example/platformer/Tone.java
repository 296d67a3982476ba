package example.platformer;

import com.badlogic.gdx.files.FileHandle;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A WAV file in memory that contains a fading tone. It replaces a file like {@code Gdx.files.internal("thud.wav")}. */
final class Tone extends FileHandle {

    private static final int RATE = 44_100; // samples per second

    // Two bytes per sample, so half a second.
    private final ByteBuffer wav = ByteBuffer.allocate(RATE).order(ByteOrder.LITTLE_ENDIAN);

    Tone(float hertz) {
        super("tone.wav");
        put("RIFF").putInt(RATE - 8);
        put("WAVEfmt ").putInt(16).putShort((short) 1).putShort((short) 1); // format PCM with one channel
        wav.putInt(RATE).putInt(2 * RATE).putShort((short) 2).putShort((short) 16); // bytes per sample, bits per sample
        put("data").putInt(RATE - 44);
        for (int i = 0; wav.hasRemaining(); i++) {
            double fade = Math.exp(-12.0 * i / RATE);
            wav.putShort((short) (Short.MAX_VALUE * fade * Math.sin(2 * Math.PI * hertz * i / RATE)));
        }
    }

    private ByteBuffer put(String text) {
        return wav.put(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public InputStream read() {
        return new ByteArrayInputStream(wav.array());
    }
}
