//! The service killed at named points and at random: every post ends right, and none goes out twice.
