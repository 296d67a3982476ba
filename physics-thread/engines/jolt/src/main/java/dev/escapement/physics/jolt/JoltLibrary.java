package dev.escapement.physics.jolt;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/** Where jolt-jni keeps the native library of each platform: in the jar of a classifier. */
final class JoltLibrary {

    private JoltLibrary() {}

    static NativeResource forPlatform(Platform platform) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> of(platform, "jolt-jni-Linux64", "linux/x86-64", "libjoltjni.so");
            case "linux aarch64" -> of(platform, "jolt-jni-Linux_ARM64", "linux/aarch64", "libjoltjni.so");
            case "windows amd64" -> of(platform, "jolt-jni-Windows64", "windows/x86-64", "joltjni.dll");
            case "macos amd64" -> of(platform, "jolt-jni-MacOSX64", "osx/x86-64", "libjoltjni.dylib");
            case "macos aarch64" -> of(platform, "jolt-jni-MacOSX_ARM64", "osx/aarch64", "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + platform
                        + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
    }

    private static NativeResource of(Platform platform, String artifact, String folder, String file) {
        String coordinates = "com.github.stephengold:" + artifact + ":" + JoltNatives.VERSION + ":ReleaseSp";
        return new NativeResource("Jolt", platform, coordinates, "/" + folder + "/com/github/stephengold/" + file);
    }
}
